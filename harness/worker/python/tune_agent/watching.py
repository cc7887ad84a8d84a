"""What is only looked at: the script's options, files that it writes, how it fails."""
import argparse
import functools
import itertools
import os
import sys

from . import session
from .place import plain

_MOST_FILES = 200
_MOST_CHOICES = 20
arguments = None
written = {}  # path, or "os.remove path", and how many times
failure = None


def watch_arguments():
    parse = argparse.ArgumentParser.parse_known_args

    @functools.wraps(parse)
    def parse_known_args(self, *given, **named):
        space, rest = parse(self, *given, **named)
        if arguments is None and session.thread:
            session.safely(_keep_arguments, self, space)
        return space, rest

    argparse.ArgumentParser.parse_known_args = parse_known_args


def _keep_arguments(parser, space):
    """Which option holds which value, so that the script's own flags can be used."""
    global arguments
    arguments = [
        {"flags": list(a.option_strings), "name": a.dest, "default": plain(a.default),
         "value": plain(getattr(space, a.dest, None)),
         "choices": plain(list(itertools.islice(a.choices, _MOST_CHOICES))) if a.choices else None,
         "type": getattr(a.type, "__name__", None),
         "takes": a.nargs if isinstance(a.nargs, (int, str)) else None}
        for a in parser._actions if a.dest not in ("help", argparse.SUPPRESS)]


def watch_files():
    """What a trial would overwrite, so that it can be shielded."""
    skipped = ("/dev/", "/proc/", "/sys/", "/tmp/pymp-", os.path.abspath(session.folder) + os.sep)

    def keep(path, event=""):
        if not isinstance(path, (str, bytes, os.PathLike)):
            return
        path = os.path.abspath(os.fsdecode(path))
        if not path.startswith(skipped) and not path.endswith(".pyc"):
            what = "%s %s" % (event, path) if event else path
            if what in written or len(written) < _MOST_FILES:
                written[what] = written.get(what, 0) + 1

    def hook(event, details):
        if event == "open":
            path, _, flags = details
            if flags is not None and flags & (os.O_WRONLY | os.O_RDWR):
                keep(path)
        elif event in ("os.remove", "os.rename", "shutil.rmtree", "os.mkdir"):
            keep(details[0], event)
            if event == "os.rename":
                keep(details[1])

    sys.addaudithook(lambda event, details: session.thread and session.safely(hook, event, details))
    session.wrote = keep  # torch.save opens its files in C++


def watch_exceptions():
    before = sys.excepthook

    def watch(kind, value, trace):
        session.safely(_keep_failure, kind, value)
        before(kind, value, trace)

    sys.excepthook = watch


def _keep_failure(kind, value):
    global failure
    text = str(value)
    lacks_memory = kind.__name__ in ("OutOfMemoryError", "MemoryError") \
        or "out of memory" in text or "can't allocate memory" in text
    failure = {"kind": "out-of-memory" if lacks_memory else "threw",
               "message": "%s: %s" % (kind.__name__, plain(text))}
