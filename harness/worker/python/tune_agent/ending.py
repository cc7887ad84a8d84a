"""How a trial ends: on command, or by the script itself."""
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
