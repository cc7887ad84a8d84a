"""torch's DataLoader: notes of batches, facts of loaders, and the knobs that belong to them."""
import functools
import inspect
import itertools
import os
import weakref

from . import commands, ending, fetching, models, place, session, worker_curve
from . import ring as rings
from .ring import COMMAND
from .place import plain, text_of

_SETTINGS = ("num_workers", "pin_memory", "prefetch_factor", "persistent_workers", "batch_size",
             "in_order", "multiprocessing_context")
_SEEN = ("batch_size", "num_workers", "pin_memory", "prefetch_factor", "persistent_workers",
         "drop_last", "in_order")
_FLAGS = ("pin_memory", "persistent_workers", "in_order")
_MOST_LOADERS = 1000
_MOST_FETCHED = 100000  # batches that nobody trains with
_MOST_THREADS = 1000
_OWNER = os.urandom(8).hex()  # whose numbers loaders have; a forked process keeps them
_OF_WORKERS = ("prefetch_factor", "persistent_workers", "multiprocessing_context", "timeout")

described = []  # what the facts say of each loader, by its number
_loaders = []  # weak references, to look at them again
_datasets = {}  # by identity: number, weak reference; loaders of each epoch are known by their data
_numbers = itertools.count()
_MOST_DATASETS = 10000
_beginning = None  # the loader whose iterator is being made
_begun_elsewhere = {}  # by a thread that does not train, or not yet: notes of its last epoch
_fetched = []  # there: thread, loader, rows
_ticks = []  # of each loader: ask, got, got without gradients, end, whether rows are counted
_parameters = ()
_page = b""
_thread = 0
_current = session.current
_pending = session.pending  # the very list


def hook(torch):
    """Patches DataLoader and its iterators. Also called with a module of torchdata."""
    import torch.utils.data.dataloader as module

    global _parameters
    _parameters = tuple(inspect.signature(module.DataLoader.__init__).parameters)[1:]
    _patch_class(module.DataLoader)
    _patch_iterator(module._BaseDataLoaderIter, torch)
    session.after_binding.append(_bind)
    _bind()


def hook_stateful(module):
    """torchdata's StatefulDataLoader has iterators of its own."""
    for name in ("_StatefulBaseDataLoaderIter", "_BaseDataLoaderIter"):
        iterator = module.__dict__.get(name)
        if iterator is not None and "__next__" in iterator.__dict__:
            if not getattr(iterator.__next__, "_tune", False):
                _patch_iterator(iterator, session.torch)
    loader = module.__dict__.get("StatefulDataLoader")
    if loader is not None:
        _patch_class(loader)


def _bind():
    global _page, _thread, _current
    is_new = session.thread not in (0, _thread) and session.thread == session.current()
    _page, _thread, _current = session.ring.page, session.thread, session.current
    if is_new:
        session.safely(_take_over)
    _ticks[:] = [_ticks_of(n) for n in range(len(described))] or [_ticks_of(0)]


def _ticks_of(number):
    tick = session.ring.tick
    counts = number < len(described) and described[number]["rows"] == "counted"
    return (tick(rings.ASK, number), tick(rings.GOT, number, rings.GRADIENTS),
            tick(rings.GOT, number), tick(rings.END, number), counts)


# ---------------------------------------------------------------------------------- made, begun

def _patch_class(loader_class):
    if "__init__" in loader_class.__dict__:
        loader_class.__init__ = _constructor(loader_class.__init__)
    for name in ("__iter__", "_get_iterator"):
        if name in loader_class.__dict__:
            setattr(loader_class, name, _beginner(loader_class.__dict__[name]))


def _constructor(make):
    @functools.wraps(make)
    def __init__(self, *arguments, **named):
        # A subclass with a patched constructor of its own has done it.
        if session.thread == 0 or "_tune" in self.__dict__ or session.in_worker():
            return make(self, *arguments, **named)
        self.__dict__["_tune"] = 0
        try:
            given = dict(zip(_parameters, arguments))
            given.update(named)
            where, library = place.find_place(self)
            changed = _with_knobs(given, where)
        except Exception as problem:
            session.note_problem("loader", problem)
            return make(self, *arguments, **named)
        make(self, **changed)
        if self.num_workers:
            session.safely(ending.share_temp_folder)
        session.safely(_describe, self, given, changed, where, library)

    return __init__


def _describe(loader, given, changed, where, library):
    torch = session.torch
    facts = {"place": where, "library": library, "class": type(loader).__name__,
             "asked": {k: plain(given[k]) for k in given if k not in ("dataset", "sampler")}}
    facts.update((k, plain(getattr(loader, k, None))) for k in _SEEN)
    for flag in _FLAGS:  # 0 and 1 will do for torch
        facts[flag] = None if facts.get(flag) is None else bool(facts[flag])
    facts["dataset"] = type(loader.dataset).__name__
    facts["dataset_length"] = _length(loader.dataset)
    facts["iterable"] = isinstance(loader.dataset, torch.utils.data.IterableDataset)
    facts["sampler"] = type(getattr(loader, "sampler", None)).__name__
    facts["fetches_batches"] = bool(getattr(loader.dataset, "__getitems__", None))
    is_known = _groups(loader) and not facts["iterable"] and loader.batch_size
    facts["rows"] = "known" if is_known else "counted"
    facts["epoch_samples"] = _length(loader.sampler) if facts["rows"] == "known" else None
    loader.__dict__["_tune_of"] = _OWNER
    if len(described) >= _MOST_LOADERS:  # it counts as the last one
        loader.__dict__["_tune"] = _MOST_LOADERS - 1
        return
    number = len(described)
    described.append(facts)
    _loaders.append(weakref.ref(loader))
    facts["applied"] = {k: plain(v) for k, v in changed.items() if k in session.knobs}
    loader.__dict__["_tune"] = number
    if number:
        _ticks.append(_ticks_of(number))
    else:
        _ticks[:] = [_ticks_of(0)]


def _beginner(make):
    """__iter__ and _get_iterator, which some loaders ask by themselves, once for all epochs."""
    @functools.wraps(make)
    def begin(self):
        global _beginning
        me = session.current()
        if session.thread == 0 or _beginning is self:
            iterator = make(self)
        elif session.thread != me and not session.inherits():
            if len(_begun_elsewhere) < _MOST_THREADS:
                _begun_elsewhere[me] = session.safely(_epoch_of, self)
            iterator = make(self)
        else:
            session.safely(_note_begin, self)
            outer, _beginning = _beginning, self
            try:
                iterator = make(self)
            finally:
                _beginning = outer
        try:
            number = self.__dict__.get("_tune", 0)
            iterator.__dict__["_tune"] = number if number < len(_ticks) else 0
        except AttributeError:
            pass  # an iterator of somebody's own
        return iterator

    return begin


def _note_begin(loader):
    session.begins_batches()
    if loader.__dict__.get("_tune_of", _OWNER) != _OWNER:  # it came from another process
        _describe(loader, {}, {}, None, None)
    if session.counts_batches:
        models.want()
        session.wants_claim()
    _note_all(_epoch_of(loader))


def _epoch_of(loader):
    """What is to be noted of one that begins: kind, loader, number."""
    number, notes = loader.__dict__.get("_tune", 0), []
    if number < len(described):
        facts = described[number]
        if facts["rows"] == "known" and not _groups(loader):  # another sampler since it was made
            facts["rows"] = "counted"
            _ticks[number] = _ticks_of(number)
        size = facts["batch_size"] if facts["rows"] == "known" else None
        length = facts["epoch_samples"] if size else None
        if length is not None and facts["drop_last"]:
            length -= length % size
        notes = [(rings.LOADER, number, -1 if size is None else size),
                 (rings.EPOCH, number, -1 if length is None else length)]
    return notes + [(rings.ITERATE, number, _number_of(loader.dataset))]


def _note_all(notes):
    for kind, subject, number in notes or ():
        session.ring.note(kind, subject, number=number)


def _groups(loader):
    """Whether the loader groups samples itself: then arithmetic says how many a batch holds. Some
    repeat their batches forever, through a sampler of torch's batch sampler."""
    sampler = getattr(loader, "batch_sampler", None)
    inner = getattr(sampler, "sampler", None)
    return "BatchSampler" in (type(sampler).__name__, type(inner).__name__)


def _number_of(dataset):
    try:
        key, alive = id(dataset), weakref.ref(dataset)
    except TypeError:  # a list: one as long in the same place is most likely the next epoch's
        key, alive = (id(dataset), _length(dataset)), None
    number, known = _datasets.get(key, (None, None))
    if number is None or known is not alive:  # there is but one reference to what is alive
        if len(_datasets) >= _MOST_DATASETS:
            _datasets.clear()
        number = next(_numbers)
        _datasets[key] = number, alive
    return number


def loader_of(number):
    """None where it is gone."""
    return _loaders[number]() if number < len(_loaders) else None


def _length(thing):
    try:
        return len(thing)
    except Exception:
        return None


# ---------------------------------------------------------------------------------- batches

def _patch_iterator(iterator_class, torch):
    take, gradients = iterator_class.__next__, torch.is_grad_enabled

    @functools.wraps(take)
    def __next__(self):
        if _current() != _thread:
            return _fetch_elsewhere(self, take)
        if _pending or _page[COMMAND]:
            worker_curve.asking = self
            commands.attend_to_asking()
            worker_curve.asking = None
        ask, got, got_quietly, end, counts = _ticks[self._tune]
        ask()
        try:
            batch = take(self)
        except StopIteration:
            end()
            raise
        if counts:
            session.safely(_note_rows, self._tune, batch, gradients())
        elif gradients():
            got()
        else:
            got_quietly()
        return batch

    __next__._tune = True
    iterator_class._tune = 0
    iterator_class.__next__ = __next__


def _note_rows(number, batch, gradients):
    session.ring.note(rings.GOT, number, int(gradients), rows_of(batch) or 0)


def _fetch_elsewhere(iterator, take):
    """Somebody fetches ahead in a thread of his own: the one that trains notes it later."""
    if session.inherits():
        return next(iterator)
    batch = take(iterator)
    if _thread and not session.in_worker() and len(_fetched) < _MOST_FETCHED:
        _fetched.append((session.current(), iterator._tune, session.safely(rows_of, batch) or 0))
        if _note_fetched not in session.pending:
            session.pending.append(_note_fetched)
    return batch


def _note_fetched():
    while _fetched:
        _, number, rows = _fetched.pop(0)
        session.ring.note(rings.FETCHED, number, number=rows)


def _take_over():
    """Another thread than before trains: what it has asked for was no fetching ahead."""
    me = session.current()
    _note_all(_begun_elsewhere.pop(me, None))
    own = [fetched for fetched in _fetched if fetched[0] == me]
    _fetched[:] = [fetched for fetched in _fetched if fetched[0] != me]
    for _, number, rows in own:
        session.ring.note(rings.ASK, number)
        session.ring.note(rings.GOT, number, rings.GRADIENTS, rows)


def rows_of(batch, depth=0):
    """Samples of whatever a loader gives: rows of its first tensor; None where there is none."""
    if isinstance(batch, session.torch.Tensor):
        return batch.shape[0] if batch.dim() else 1
    if depth > 3:
        return None
    for name in ("num_graphs", "batch_size"):  # torch_geometric; TensorDict
        value = getattr(batch, name, None)
        if isinstance(value, int):
            return value
    for part in (batch, batch[1] if isinstance(batch, (list, tuple)) and len(batch) > 1 else None):
        if isinstance(part, (list, tuple)) and part and hasattr(part[0], "keys"):
            return len(part)  # detectron2: a list of dicts; torchvision's detection: images and such
    if callable(getattr(batch, "values", None)):  # not a field of that name
        values = batch.values()
    elif isinstance(batch, (list, tuple)):
        values = batch
    else:  # a dataclass, or a batch of the user's own
        values = list(getattr(batch, "__dict__", {}).values())
    for value in values:
        found = rows_of(value, depth + 1)
        if found is not None:
            return found
    return None


# ---------------------------------------------------------------------------------- knobs

class WorkerInit:
    """A worker_init_fn with a niceness, which survives being pickled for spawned workers."""

    def __init__(self, inner, nice):
        self.inner, self.nice = inner, nice

    def __call__(self, number):
        os.nice(self.nice)
        if self.inner is not None:
            self.inner(number)


def _with_knobs(given, where):
    """The arguments of a loader with the knobs of this trial in them."""
    knobs = session.knobs
    targets = session.spec.get("loaders")
    if targets is not None and text_of(where) not in targets and len(described) not in targets:
        return given
    changed = dict(given)
    for name in _SETTINGS:
        if name in knobs and not (name == "batch_size" and not _may_group(given, where)):
            if name in _parameters:
                changed[name] = None if knobs[name] == "default" else knobs[name]
                session.applied[name] = knobs[name]
            else:
                session.ignored[name] = "this torch has no such argument"
    if not changed.get("num_workers"):
        for name in _OF_WORKERS:
            if changed.pop(name, None) and name in knobs:
                session.applied.pop(name, None)
                session.ignored[name] = "num_workers is 0"
        if knobs.get("worker_nice"):
            session.ignored["worker_nice"] = "num_workers is 0"
    elif knobs.get("worker_nice"):
        changed["worker_init_fn"] = WorkerInit(changed.get("worker_init_fn"), knobs["worker_nice"])
        session.applied["worker_nice"] = knobs["worker_nice"]
    return fetching.with_knobs(changed, where)


def _may_group(given, where):
    if given.get("batch_sampler") is not None:
        reason = "the loader at %s has a batch_sampler of its own"
    elif given.get("batch_size", 1) is None:
        reason = "the dataset at %s makes the batches itself"
    else:
        return True
    session.ignored["batch_size"] = reason % text_of(where)
    return False


def verify():
    """Loaders that are not as they were made: the script has set something back."""
    for number, facts in enumerate(described):
        loader = _loaders[number]()
        for name, value in facts["applied"].items():
            seen = plain(getattr(loader, name, value)) if loader is not None else value
            if seen != value and name != "multiprocessing_context":
                session.resist(name, seen, "?")
