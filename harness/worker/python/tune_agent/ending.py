"""How a trial ends: on command, or by the script itself."""
import json
import multiprocessing
import os
import shutil
import signal
import sys
import threading
import time

from . import facts, session, training
from . import ring as rings

_WAIT_S = 10  # for the other ranks
_TRACKER_WAIT_S = 1


def end_at(step):
    """`step`: of the optimizers, the same one on all ranks; 0 where there is but one rank, -1 where
    the trial is given up."""
    if training.steps >= step or session.world == 1:
        leave(waits=step >= 0)


def leave(waits=True):
    """No handler of the script runs, so that nothing is saved, uploaded or waited for."""
    session.safely(facts.write, "measured")
    session.safely(session.say, "done")
    if waits:
        _wait_for_ranks()
    for stream in (sys.stdout, sys.stderr):
        session.safely(stream.flush)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # torch's would raise when a worker ends
    children = multiprocessing.process._children.copy()
    for child in children:
        session.safely(child.terminate)
    session.safely(_end_tracker)
    session.safely(_remove_temp_folder)
    for pid in [os.getpid()] + [child.pid for child in children]:
        session.safely(_unregister_openmp, pid)
    session.ring.page[rings.COMMAND] = 0  # from here on nobody has to wait for us
    os._exit(0)


def _end_tracker():
    """Semaphores of spawned processes are unlinked by Python's tracker, which sees that we end, and
    would be killed with the trial before it has done so."""
    tracker = getattr(sys.modules.get("multiprocessing.resource_tracker"), "_resource_tracker", None)
    if tracker is None or tracker._fd is None or tracker._pid is None:
        return
    os.close(tracker._fd)
    until = time.monotonic() + _TRACKER_WAIT_S
    while time.monotonic() < until and os.waitpid(tracker._pid, os.WNOHANG)[0] == 0:
        time.sleep(0.002)


def share_temp_folder():
    """Workers inherit the folder of their parent, where that has one, for the sockets through which
    they send tensors. Each would make its own, and leave it behind when it is killed."""
    import multiprocessing.util as util  # torch's loader has imported it
    util.get_temp_dir()


def _remove_temp_folder():
    """Python's own removal runs at an exit that does not take place."""
    folder = multiprocessing.process.current_process()._config.get("tempdir")
    if folder and os.path.basename(folder).startswith("pymp-"):
        shutil.rmtree(folder, ignore_errors=True)


def _unregister_openmp(pid):
    """The OpenMP runtimes of LLVM and Intel take their file away in a handler that does not run."""
    try:
        os.unlink("/dev/shm/__KMP_REGISTERED_LIB_%d_%d" % (pid, os.getuid()))
    except OSError:
        pass


def _wait_for_ranks():
    """Who leaves first resets connections on which a slower rank still reads."""
    if session.world == 1:
        return
    try:
        open(session.path_of("stopped.%d" % session.rank), "w").close()
    except OSError:
        return
    until = time.monotonic() + _WAIT_S
    others = [session.path_of("stopped.%d" % r) for r in range(session.world)
              if os.path.exists(session.path_of("claim.%d" % r))]  # the others are not measured
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
