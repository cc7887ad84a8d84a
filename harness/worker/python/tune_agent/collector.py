"""Python's garbage collector: the knob `gc`, and what it takes of the measured window."""
import gc
import time

from . import session

_took_ns = 0
_collections = 0
_began_ns = _window_ns = None  # of the collection that runs; of the window


def apply():
    """After warm-up: what is there by then stays."""
    wanted = session.knobs.get("gc", "auto")
    if wanted == "freeze":
        gc.collect()
        gc.freeze()
    elif wanted == "manual":
        gc.collect()
        gc.disable()
    else:
        return
    session.applied["gc"] = wanted


def verify():
    session.observed["gc"] = {"enabled": gc.isenabled(), "frozen": gc.get_freeze_count()}
    if session.applied.get("gc") == "manual" and gc.isenabled():
        session.resist("gc", "auto", "?")


def begin():
    """From here on collections are timed."""
    global _window_ns
    _window_ns = time.monotonic_ns()
    gc.callbacks.append(_notice)


def _notice(phase, _):
    global _began_ns, _took_ns, _collections
    if phase == "start":
        _began_ns = time.monotonic_ns()
    elif _began_ns is not None:
        _took_ns += time.monotonic_ns() - _began_ns
        _began_ns = None
        _collections += 1


def taken():
    """What they took since begin(); None before it."""
    if _window_ns is None:
        return None
    return {"collections": _collections, "took_ns": _took_ns,
            "of_ns": time.monotonic_ns() - _window_ns}
