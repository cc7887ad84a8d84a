"""Where the script is, once a minute until its first step: "in make_dataset for 340 s".

A thread that looks with the interpreter's own lock held: faulthandler, which looks without it, now
and then crashes the process while its frames change.
"""
import _thread
import os
import sys
import time

from . import session

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
    frame = sys._current_frames().get(session.thread)
    lines = []
    while frame is not None:
        code = frame.f_code
        lines.append('  File "%s", line %d, in %s\n' % (
            code.co_filename, frame.f_lineno or 0, code.co_name))
        frame = frame.f_back
    with open(path, "a") as file:
        file.write("after %.0f s, innermost first:\n%s" % (seconds, "".join(lines)))
