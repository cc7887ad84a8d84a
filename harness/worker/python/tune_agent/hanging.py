"""Where the script is as long as it has made no step, for "no step for 340s; the script is in ...".

A thread that looks with the interpreter's own lock held: faulthandler, which looks without it, now
and then crashes the process while its frames change.
"""
import _thread
import os
import sys
import time

from . import place, session
from . import ring as rings

_LOOKED_AT = 4096  # notes


def watch(seconds):
    began = time.monotonic()
    path = session.path_of("stacks.%d" % os.getpid())

    def look():
        while True:
            time.sleep(seconds)  # no lock that a forked child would find taken
            if session.claimed or not session.thread:
                return
            session.safely(_write, path, time.monotonic() - began)

    _thread.start_new_thread(look, ())  # which the script does not see among its threads


def _write(path, seconds):
    frame = innermost = sys._current_frames().get(session.thread)
    lines = []
    while frame is not None:
        code = frame.f_code
        lines.append('  File "%s", line %d, in %s\n' % (
            code.co_filename, frame.f_lineno or 0, code.co_name))
        frame = frame.f_back
    place_of_it, is_users = sentence(innermost)
    if not is_users and _others_tell(os.path.basename(path)):
        return
    with open(path, "a") as file:
        file.write("after %.0f s, innermost first:\n%sthe script is in %s%s\n" % (
            seconds, "".join(lines), place_of_it, _question()))


def _question():
    """Batches without a backward pass: it may never train, and nobody would know how long to wait."""
    page, begin = session.ring.page, rings.HEADER_BYTES
    kinds = page[begin:begin + _LOOKED_AT * rings.RECORD_BYTES:rings.RECORD_BYTES]
    if kinds.count(bytes((rings.GOT,))) < 2 or bytes((rings.BACK,)) in kinds:
        return ""
    return "; no backward pass followed its batches: if this is inference, or torch.func takes its " \
        "gradients, say --count batches"


def _others_tell(own):
    """A launcher only waits for those that it has started."""
    return any(name.startswith("stacks.") and name != own for name in os.listdir(session.folder))


def sentence(frame):
    """ "ImageFolder.make_dataset (folder.py:91), which train.py:12 called", and whether code of the
    user's is in it."""
    own = library = None
    while frame is not None and own is None:
        path = frame.f_code.co_filename
        if not place.is_foreign(path):
            own = frame
        elif library is None and not place.is_standard(path):
            library = frame
        frame = frame.f_back
    inner = library or own
    if inner is None:
        return "Python's own code", False
    text = "%s (%s)" % (getattr(inner.f_code, "co_qualname", inner.f_code.co_name), _line(inner))
    is_called = own is not None and inner is not own
    return text + (", which %s called" % _line(own) if is_called else ""), own is not None


def _line(frame):
    return "%s:%d" % (os.path.basename(frame.f_code.co_filename), frame.f_lineno or 0)
