"""Knobs of how a loader fetches samples: `batch_fetch`, all of a batch at once, and `preload`, all
samples from memory. Both give a dataset `__getitems__`, which torch asks for since 2.0."""
import os

from . import session
from .place import text_of

_LARGEST_SHARE = 0.5  # of the memory that is available
_TRIED = 32  # samples of whose size that of all is estimated


class Rows:
    """A batch that needs no collating any more; to a collate_fn that does not know it, a list of
    samples: other loaders may have the same dataset."""

    def __init__(self, tensors):
        self.tensors = tensors

    def __len__(self):
        return len(self.tensors[0])

    def __getitem__(self, number):
        return tuple(tensor[number] for tensor in self.tensors)


class TensorRows:
    """`__getitems__` of a TensorDataset: one indexing for each tensor of a batch."""

    def __init__(self, tensors):
        self.tensors = tensors

    def __call__(self, indices):
        return Rows([tensor[indices] for tensor in self.tensors])


class Kept:
    """`__getitems__` of a dataset whose samples lie in memory."""

    def __init__(self, samples):
        self.samples = samples

    def __call__(self, indices):
        return [self.samples[i] for i in indices]


class Collate:
    """The loader's own collate_fn, which Rows pass by."""

    def __init__(self, inner):
        self.inner = inner

    def __call__(self, batch):
        return batch.tensors if isinstance(batch, Rows) else self.inner(batch)


def with_knobs(given, where):
    """The arguments of a loader with these knobs in them."""
    for name, apply, ours in (("batch_fetch", _fetch_batches, TensorRows),
                              ("preload", _preload, Kept)):
        if session.knobs.get(name):
            reason = _unfit(given, ours) or apply(given)
            if reason:
                session.ignored[name] = "the loader at %s: %s" % (text_of(where), reason)
            else:
                session.applied[name] = True
    return given


def _unfit(given, ours):
    """Why the dataset cannot be given __getitems__; "" where it can, or has ours from a loader
    before this one."""
    dataset = given.get("dataset")
    if isinstance(dataset, session.torch.utils.data.IterableDataset):
        return "its dataset is a stream"
    if given.get("batch_size", 1) is None:
        return "its dataset makes the batches itself"
    if not isinstance(getattr(dataset, "__getitems__", None), (type(None), ours)):
        return "its dataset fetches batches already"
    if not hasattr(dataset, "__dict__"):
        return "its dataset takes no attribute"
    if int(session.torch.__version__.split(".")[0]) < 2:
        return "torch before 2.0 asks for samples alone"
    return ""


def _fetch_batches(given):
    dataset = given["dataset"]
    if type(dataset) is not session.torch.utils.data.TensorDataset:
        return "its dataset (%s) has only samples" % type(dataset).__name__
    if given.get("collate_fn") is not None:
        return "it has a collate_fn of its own"
    dataset.__getitems__ = TensorRows(dataset.tensors)
    given["collate_fn"] = Collate(session.torch.utils.data.default_collate)
    return ""


def _preload(given):
    dataset = given["dataset"]
    if isinstance(getattr(dataset, "__getitems__", None), Kept):
        return ""
    try:
        length = len(dataset)
    except TypeError:
        return "its dataset has no length"
    reason = _too_large(dataset, length) or _differs(dataset)
    if not reason:
        dataset.__getitems__ = Kept([dataset[i] for i in range(length)])
    return reason


def _too_large(dataset, length):
    tried = min(length, _TRIED)
    size = sum(_bytes_of(dataset[i * length // tried]) for i in range(tried))
    needed = size * length // max(tried, 1)
    room = int(_available_bytes() * _LARGEST_SHARE)
    # Without how much is free, which is another number in each trial of one reason.
    return "" if needed <= room else "%d MB do not fit into half of the free memory" % (needed >> 20)


def _differs(dataset):
    """Random augmentation must continue: a sample that is another one each time is not kept."""
    if len(dataset) and not _equal(dataset[0], dataset[0]):
        return "its samples differ each time"
    return ""


def _equal(one, other):
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(_equal(a, b) for a, b in zip(one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_equal(one[k], other[k]) for k in one)
    if isinstance(one, session.torch.Tensor):
        return session.torch.equal(one, other)
    same = one == other
    return bool(same.all()) if hasattr(same, "all") else bool(same)


def _bytes_of(value):
    if isinstance(value, (tuple, list)):
        return sum(_bytes_of(v) for v in value)
    if isinstance(value, dict):
        return sum(_bytes_of(v) for v in value.values())
    if hasattr(value, "element_size"):
        return value.element_size() * value.nelement()
    return int(getattr(value, "nbytes", 0)) or 64


def _available_bytes():
    try:
        with open("/proc/meminfo") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4
