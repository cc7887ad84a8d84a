"""How a trial ends: on command at once, by the script itself, or after some steps were recorded."""
import json
import multiprocessing
import os
import signal
import sys
import threading
import time

from . import facts, session, training
from . import ring as rings

_WAIT_S = 10  # for the other ranks
_profiler = None
_steps_left = 0
_steps_seen = 0


def end_at(step):
    """`step`: of the optimizers, the same one on all ranks; 0 where there is but one rank."""
    if training.steps >= step or session.world == 1:
        leave()


def leave():
    """No handler of the script runs, so that nothing is saved, uploaded or waited for."""
    session.safely(facts.write, "measured")
    session.safely(session.say, "done")
    _wait_for_ranks()
    for stream in (sys.stdout, sys.stderr):
        session.safely(stream.flush)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # torch's would raise when a worker ends
    for child in multiprocessing.process._children.copy():
        session.safely(child.terminate)
    session.ring.page[rings.COMMAND] = 0  # from here on nobody has to wait for us
    os._exit(0)


def _wait_for_ranks():
    """Who leaves first resets connections on which a slower rank still reads."""
    if session.world == 1:
        return
    try:
        open(session.path_of("stopped.%d" % session.rank), "w").close()
    except OSError:
        return
    until = time.monotonic() + _WAIT_S
    others = [session.path_of("stopped.%d" % r) for r in range(session.world)]
    while time.monotonic() < until and not all(os.path.exists(path) for path in others):
        time.sleep(0.002)


def at_exit():
    """The script has ended by itself: it was too short, it failed, or it never trained."""
    if not session.thread or session.in_worker():
        return
    if session.claimed:
        facts.write("ended")
        if session.rank == 0:
            session.say("done")
    elif multiprocessing.current_process().name == "MainProcess":
        _end_without_claim()


def _end_without_claim():
    """One step was made, or none. A launcher ends after the processes that it has started."""
    for pending in list(session.pending):
        session.safely(pending)
    if session.claimed:
        facts.write("ended")
        return
    session.rank = int(os.environ.get("RANK") or 0)
    if not os.path.exists(session.path_of("claim.%d" % session.rank)) and not _is_known():
        facts.write("no-step")


def _is_known():
    """Another process of this rank has ended before, and it was one with torch, or as little as we."""
    try:
        with open(session.path_of("facts.%d.json" % session.rank), encoding="utf-8") as file:
            return session.torch is None or json.load(file)["torch"] is not None
    except OSError:
        return False


# ---------------------------------------------------------------------------------- profile

def record_steps():
    """Called at every batch as long as the command stands; ends it after the wanted steps."""
    global _steps_left, _steps_seen
    if _profiler is None:
        training.look_at_steps()
        session.say("profiled")
        if not session.safely(_start_profiler):
            return _finish_recording()
        session.ring.note(rings.RECORD)
        _steps_seen = training.steps
    elif training.steps != _steps_seen:
        _steps_seen = training.steps
        _profiler.step()
        _steps_left -= 1
        if _steps_left <= 0:
            session.safely(_profiler.stop)
            session.ring.note(rings.RECORD_END)
            _finish_recording()


def _finish_recording():
    session.ring.page[rings.COMMAND] = 0
    session.safely(facts.write, "measured")


def _start_profiler():
    global _profiler, _steps_left
    torch, wanted = session.torch, session.spec.get("profile") or {}
    session.profile = {"reason": "the process ended in its profiled window"}
    if torch.autograd._profiler_enabled():
        session.profile = {"reason": "the script records itself"}
        return False
    activities = [torch.profiler.ProfilerActivity.CPU]
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    wait, warmup, active = (wanted.get(name, usual) for name, usual in (
        ("wait", 0), ("warmup", 1), ("active", 3)))
    _profiler = torch.profiler.profile(
        activities=activities, on_trace_ready=_keep_trace,
        schedule=torch.profiler.schedule(wait=wait, warmup=warmup, active=active, repeat=1),
        record_shapes=wanted.get("record_shapes", False),
        profile_memory=wanted.get("profile_memory", False),
        with_stack=wanted.get("with_stack", False))
    _profiler.start()
    _steps_left = wait + warmup + active
    return True


def _keep_trace(profiler):
    name = "trace.json.gz" if session.rank == 0 else "trace.%d.json.gz" % session.rank
    profiler.export_chrome_trace(session.path_of(name))
    session.profile = {"file": name, "file_bytes": os.path.getsize(session.path_of(name))}
