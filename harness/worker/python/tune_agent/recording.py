"""Steps recorded with torch.profiler, in ranges of our own, and then the lines that steps are in."""
import functools
import gzip
import os
import shutil
import time
import warnings

from . import facts, lines, models, place, session, training
from . import ring as rings

_THE_SCRIPTS_OWN = "the script runs torch.profiler itself%s: analyze the trace that it writes " \
    "with tune analyze"
_LONGEST_S = 20  # of the kept steps: a step more would make a trace that takes minutes to write

_profiler = None
_sampler = None
_is_over = False
_steps_left = _to_skip = 0
_steps_seen = 0
_first_kept = 0.0  # when the first of the kept steps began
_restore = []  # functions that take our ranges out again
_makes_own = False
_of_script = None  # where the script makes a profiler
profiled = []  # at each end of the measured window: does a profiler of the script run?


def hook(torch):
    """Two profilers in one process break each other: the script's own is noticed."""
    _notice(torch.profiler.profiler._KinetoProfile)
    _notice(torch.autograd.profiler.profile)


def _notice(profiler_class):
    make = profiler_class.__init__

    @functools.wraps(make)
    def __init__(self, *arguments, **named):
        if not _makes_own and session.thread:
            session.safely(_leave_to_script)
        make(self, *arguments, **named)

    profiler_class.__init__ = __init__


def _leave_to_script():
    global _of_script
    where, library = place.find_place()
    where = where or library
    _of_script = _of_script or (" (%s)" % place.text_of(where) if where else "")
    if _profiler is not None and not _is_over:
        session.safely(_give_up)


def look_for_profiler():
    profiled.append(bool(session.torch.autograd._profiler_enabled()))


def _give_up():
    _own(_profiler.stop)
    _finish(_THE_SCRIPTS_OWN % _of_script)


def _own(function):
    """Calls it; the profilers that it makes are ours, and so are their warnings."""
    global _makes_own
    _makes_own = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function()
    finally:
        _makes_own = False


def record_steps():
    """Called at every batch as long as the command stands; ends it after the wanted steps."""
    global _steps_seen
    if _is_over:
        session.ring.page[rings.COMMAND] = 0
    elif _profiler is None:
        training.look_at_steps()
        session.say("profiled")
        if session.safely(_start_profiler):
            session.ring.note(rings.RECORD)
            _steps_seen = training.steps
        else:
            _finish()
    elif training.steps != _steps_seen or session.counts_batches:
        _steps_seen = training.steps
        _next_step()


def _next_step():
    if _sampler is not None:
        if _sampler.is_done():
            session.safely(_keep_lines)
            _finish()
    elif not session.safely(_record_next):
        session.ring.note(rings.RECORD_END)
        if (session.spec.get("profile") or {}).get("lines") and session.profile.get("file"):
            session.safely(_start_sampler)
        if _sampler is None:
            _finish()


def _finish(reason=None):
    global _is_over
    _is_over = True
    if reason is not None:
        session.profile = {"reason": reason}
    _close_ranges()
    session.safely(facts.write, "measured")
    session.ring.page[rings.COMMAND] = 0  # from here on tune reads the facts


# ---------------------------------------------------------------------------------- the profiler

def _start_profiler():
    global _profiler, _steps_left, _to_skip
    torch, wanted = session.torch, session.spec.get("profile") or {}
    session.profile = {"reason": "the process ended in its profiled window"}
    if _of_script is not None or torch.autograd._profiler_enabled():
        session.profile = {"reason": _THE_SCRIPTS_OWN % (_of_script or "")}
        return False
    activities = [torch.profiler.ProfilerActivity.CPU]
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    wait, warmup, active = (wanted.get(name, usual) for name, usual in (
        ("wait", 0), ("warmup", 1), ("active", 3)))
    session.safely(_open_ranges, torch)

    def start():
        profiler = torch.profiler.profile(
            activities=activities, on_trace_ready=_keep_trace,
            schedule=torch.profiler.schedule(wait=wait, warmup=warmup, active=active, repeat=1),
            record_shapes=wanted.get("record_shapes", False),
            profile_memory=wanted.get("profile_memory", False),
            with_stack=wanted.get("with_stack", False))
        profiler.start()
        return profiler

    _profiler = _own(start)
    _to_skip, _steps_left = wait + warmup, active
    return True


def _record_next():
    """A step is over. False: it was the last one."""
    global _to_skip, _steps_left, _first_kept
    if _to_skip > 0:
        _to_skip -= 1
        _own(_profiler.step)
        _first_kept = time.monotonic()
        return True
    _steps_left -= 1
    limit = (session.spec.get("profile") or {}).get("limit_s", _LONGEST_S)
    if _steps_left > 0 and time.monotonic() - _first_kept < limit:
        _own(_profiler.step)
        return True
    _own(_profiler.stop)  # which keeps the trace
    return False


def _keep_trace(profiler):
    name = "trace.json.gz" if session.rank == 0 else "trace.%d.json.gz" % session.rank
    plain = session.path_of("recorded.%d.json" % session.rank)
    profiler.export_chrome_trace(plain)
    with open(plain, "rb") as text, gzip.open(session.path_of(name), "wb", 1) as packed:
        shutil.copyfileobj(text, packed, 1 << 20)  # torch's own way packs ten times as long
    os.remove(plain)
    session.profile = {"file": name, "file_bytes": os.path.getsize(session.path_of(name))}


# ---------------------------------------------------------------------------------- ranges

def _open_ranges(torch):
    """Calls of the models and backward passes are ranges of the trace, as torch's own are around
    batches and steps of optimizers. Not where something is compiled, which would look into them."""
    if session.has_compiler():
        return
    _range_around_backward(torch)
    if hasattr(torch.nn.Module, "_compiled_call_impl"):
        for module in models.watched_modules():
            _range_around_calls(torch, module)
    else:
        _ranges_around_calls(torch, {id(module) for module in models.watched_modules()})


def _range_around_backward(torch):
    run, named_range = torch.autograd.backward, torch.autograd.profiler.record_function

    def backward(*arguments, **named):
        if session.current() != session.thread:
            return run(*arguments, **named)
        with named_range("backward"):
            return run(*arguments, **named)

    def restore():
        if torch.autograd.backward is backward:
            torch.autograd.backward = run

    torch.autograd.backward = backward
    _restore.append(restore)


def _range_around_calls(torch, module):
    call, named_range = module.__dict__["_compiled_call_impl"], torch.autograd.profiler.record_function

    def watched(*arguments, **named):
        if session.current() != session.thread:
            return call(*arguments, **named)
        with named_range("forward"):
            return call(*arguments, **named)

    def restore():
        if module.__dict__.get("_compiled_call_impl") is watched:
            module.__dict__["_compiled_call_impl"] = call

    watched._tune = True
    module.__dict__["_compiled_call_impl"] = watched
    _restore.append(restore)


def _ranges_around_calls(torch, watched):
    """Before torch 2.1 no module is asked by itself."""
    call, named_range = torch.nn.Module.__call__, torch.autograd.profiler.record_function

    def __call__(self, *arguments, **named):
        if id(self) not in watched or session.current() != session.thread:
            return call(self, *arguments, **named)
        with named_range("forward"):
            return call(self, *arguments, **named)

    def restore():
        if torch.nn.Module.__call__ is __call__:
            torch.nn.Module.__call__ = call

    torch.nn.Module.__call__ = __call__
    _restore.append(restore)


def _close_ranges():
    while _restore:
        session.safely(_restore.pop())


# ---------------------------------------------------------------------------------- lines

def _start_sampler():
    global _sampler
    _close_ranges()
    sampler = lines.Sampler(session.thread)
    sampler.start()
    _sampler = sampler


def _keep_lines():
    _sampler.stop()
    _sampler.write(session.path_of("lines.json"))
