"""What loader workers would cost: samples and batches of the script's own dataset, made here and by
one worker, between two steps. Only in the trial that looks at the script; it takes some seconds.

Nothing is predicted here. The numbers are those of one batch; of each three, the mean between the
quartiles.
"""
import os
import time

from . import session
from .place import plain

_LIMIT_S = 4  # for each of both: made here, made by a worker
_MOST_BATCHES = 60
_PREFETCH = 2  # torch's own, when workers are asked for
_BLOCK = 4

asking = None  # the iterator that is asked for a batch right now
measured = None  # what the facts say


def measure():
    """Measures the loader that feeds the training steps."""
    global measured
    if not session.spec.get("worker_curve") or measured is not None or asking is None:
        return
    measured = {}
    begin = time.monotonic()
    thread = session.thread
    session.sleep()  # what is fetched here is nobody's batch
    try:
        measured.update(_curve_of(asking))
    except Exception as problem:
        measured = {"reason": "%s: %s" % (type(problem).__name__, str(problem)[:300])}
    finally:
        session.thread = thread
        session.bind()
    measured["took_s"] = time.monotonic() - begin


def _curve_of(iterator):
    from . import loaders
    number = iterator._tune
    loader = loaders.loader_of(number)
    if loader is None:
        return {"reason": "its loader is gone"}
    if isinstance(loader.dataset, session.torch.utils.data.IterableDataset):
        return {"loader": number, "reason": "its dataset is a stream"}
    batches = _some_batches(loader)
    found = {"loader": number, "num_workers": plain(loader.num_workers),
             "samples": _median([len(indices) for indices in batches])}
    found.update(_made_here(loader, batches))
    found.update(_made_by_a_worker(loader, batches))
    return found


def _some_batches(loader):
    """Lists of indices, as the loader's own sampler gives them."""
    for sampler in (loader.batch_sampler, loader.sampler):
        if sampler is not None and iter(sampler) is sampler:
            raise ValueError("its sampler can be read only once")
    source = loader.batch_sampler
    if source is None:  # the sampler's items are asked for one by one
        source = ([index] for index in loader.sampler)
    batches = []
    for indices in source:
        batches.append(list(indices))
        if len(batches) == _MOST_BATCHES:
            break
    if not batches:
        raise ValueError("its sampler gives nothing")
    if len(batches) > 1 and len(batches[-1]) < len(batches[0]):
        batches.pop()
    return batches


def _made_here(loader, batches):
    samples_s, batch_s = [], []
    until = time.monotonic() + _LIMIT_S
    for indices in batches:
        begin = time.perf_counter()
        samples = _samples(loader, indices)
        got = time.perf_counter()
        loader.collate_fn(samples)
        batch_s.append(time.perf_counter() - begin)
        samples_s.append((got - begin) / max(1, len(indices)))
        if time.monotonic() > until:
            break
    return {"sample_s": _spread(samples_s[1:] or samples_s),
            "fetch_s": _spread(batch_s[1:] or batch_s)}


def _samples(loader, indices):
    if loader.batch_sampler is None:
        return loader.dataset[indices[0]]
    all_at_once = getattr(loader.dataset, "__getitems__", None)
    return all_at_once(indices) if all_at_once else [loader.dataset[i] for i in indices]


def _made_by_a_worker(loader, batches):
    """One worker while nobody trains: how long it takes until its first batch, for a
    batch when it never waits, and how long it takes to receive one that is ready."""
    options = {"num_workers": 1, "collate_fn": loader.collate_fn, "prefetch_factor": _PREFETCH,
               "worker_init_fn": loader.worker_init_fn, "timeout": 60,
               "multiprocessing_context": loader.multiprocessing_context}
    if loader.batch_sampler is None:
        options.update(batch_size=None, sampler=[indices[0] for indices in batches] * 50)
    else:
        options["batch_sampler"] = batches * 50
    begin = time.perf_counter()
    iterator = iter(session.torch.utils.data.DataLoader(loader.dataset, **options))
    try:
        next(iterator)
        first_s = time.perf_counter() - begin
        found = _at_full_speed(iterator)
        found["start_s"] = max(0.0, first_s - found["worker_s"][1])
        found["receive_s"] = _of_ready_ones(iterator, found["worker_s"][1])
        found["worker_bytes"] = _private_bytes(iterator._workers[0].pid)
        return found
    finally:
        iterator._shutdown_workers()


def _at_full_speed(iterator):
    """Blocks of a few batches: single ones come in bursts. As in a loop that trains, a batch is kept
    until the next one has come: objects that live longer cost Python's garbage collector more."""
    block_s, batches = [], 0
    until = time.monotonic() + _LIMIT_S
    for _ in range(_BLOCK):
        kept = next(iterator)
    before = _cpu_s(iterator._workers[0].pid)
    while time.monotonic() < until and batches < 10 * _MOST_BATCHES:
        begin = time.perf_counter()
        for _ in range(_BLOCK):
            kept = next(iterator)
        block_s.append((time.perf_counter() - begin) / _BLOCK)
        batches += _BLOCK
    del kept
    after = _cpu_s(iterator._workers[0].pid)
    return {"worker_s": _spread(block_s), "worker_cpu_s": (after - before) / max(1, batches),
            "batches": batches}


def _of_ready_ones(iterator, batch_s):
    taken_s, kept = [], None
    until = time.monotonic() + _LIMIT_S
    while time.monotonic() < until and len(taken_s) < 20:
        # One after each pause: a worker that refills the rest may take the same core.
        time.sleep(min(1.0, 1.5 * _PREFETCH * batch_s + 0.005))
        begin = time.perf_counter()
        kept = next(iterator)
        taken_s.append(time.perf_counter() - begin)
    del kept
    return _spread(taken_s)


def _cpu_s(process):
    with open("/proc/%d/stat" % process, "rb") as file:
        fields = file.read().rsplit(b")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _private_bytes(process):
    """What it has for itself: pages that it shares with the training cost nothing."""
    total = 0
    try:
        with open("/proc/%d/smaps_rollup" % process) as file:
            for line in file:
                if line.startswith("Private_"):
                    total += int(line.split()[1]) * 1024
    except (OSError, ValueError):
        return None
    return total


def _median(values):
    return sorted(values)[len(values) // 2]


def _spread(values):
    """Rates follow from the mean: the garbage collector makes every tenth batch of Python objects
    several times as long as the others."""
    ordered = sorted(values)
    mean = sum(ordered) / len(ordered)
    return [min(mean, ordered[len(ordered) // 4]), mean,
            max(mean, ordered[(3 * len(ordered)) // 4])]
