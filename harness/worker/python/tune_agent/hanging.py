"""Where the script is as long as it has made no step, for "no step for 340s; the script is in ...".

A thread that looks with the interpreter's own lock held: faulthandler, which looks without it, now
and then crashes the process while its frames change.
"""
import _thread
import os
import sys
import time

from . import place, session


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
    with open(path, "a") as file:
        file.write("after %.0f s, innermost first:\n%sthe script is in %s\n" % (
            seconds, "".join(lines), sentence(innermost)))


def sentence(frame):
    """ "ImageFolder.make_dataset (folder.py:91), which train.py:12 called"."""
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
        return "Python's own code"
    text = "%s (%s)" % (getattr(inner.f_code, "co_qualname", inner.f_code.co_name), _line(inner))
    return text if inner is own or own is None else text + ", which %s called" % _line(own)


def _line(frame):
    return "%s:%d" % (os.path.basename(frame.f_code.co_filename), frame.f_lineno or 0)
