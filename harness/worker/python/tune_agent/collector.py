"""Python's garbage collector: the knob `gc`, and what it takes of the measured window."""
import gc
import time

from . import session
from .place import find_place, text_of

_took_ns = 0
_collections = 0
_began_ns = _window_ns = None  # of the collection that runs; of the window


def hook(torch):
    """Where a trial asks for auto, the script does not switch it off."""
    if session.knobs.get("gc") == "auto":
        gc.disable = _dropping("manual")
        gc.freeze = _dropping("freeze")


def _dropping(value):
    def dropped():
        session.applied["gc"] = "auto"
        where, library = find_place()
        session.resist("gc", value, text_of(where or library))

    return dropped


def apply():
    """After warm-up: what is there by then stays."""
    wanted = session.knobs.get("gc", "auto")
    if wanted == "freeze":
        gc.collect()
        gc.freeze()
    elif wanted == "manual":
        gc.collect()
        gc.disable()
    elif session.knobs.get("gc") and (not gc.isenabled() or gc.get_freeze_count()):
        gc.enable()
        gc.unfreeze()
    else:
        return
    session.applied["gc"] = wanted


def verify():
    session.observed["gc"] = {"enabled": gc.isenabled(), "frozen": gc.get_freeze_count()}


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
