"""Which lines of the script its steps are in: another thread looks where the training thread is.

A recorded call stack names the line on which a function begins, and recording it makes steps of
many calls longer; looking from outside names the line that is running, whatever it calls.
"""
import _thread
import json
import linecache
import os
import sys
import time

from . import place

_EVERY_S = 0.002
_LEAST_S = 1.5  # then it ends with the step that is running
_LONGEST_S = 20.0
_MOST_LINES = 50
_LONGEST_TEXT = 160
_TORCH = os.sep + "torch" + os.sep
_PARTS = (  # files of torch, functions in them, what a call of them is
    (os.path.join("utils", "data", "dataloader.py"), ("__next__",), "data_wait"),
    (os.path.join("autograd", "__init__.py"), ("backward", "grad"), "backward"),
    (os.path.join("nn", "modules", "module.py"), ("_call_impl", "_wrapped_call_impl"), "forward"))


class Sampler:
    """Looks until it is stopped; counts by line and part of the step."""

    def __init__(self, thread):
        self.thread, self.counts, self.samples = thread, {}, 0
        self.known = {}  # what code objects are
        self.runs = False
        self.ends = [time.monotonic_ns()]  # of steps; the first one begins with the first end

    def start(self):
        self.runs = True
        _thread.start_new_thread(self._look, ())  # which the script does not see among its threads

    def is_done(self):
        """Called after each step."""
        self.ends.append(time.monotonic_ns())
        return self._seconds() >= _LEAST_S

    def _seconds(self):
        return (time.monotonic_ns() - self.ends[0]) / 1e9

    def stop(self):
        self.runs = False

    def _look(self):
        try:
            while self.runs and self._seconds() < _LONGEST_S:
                time.sleep(_EVERY_S)
                frame = sys._current_frames().get(self.thread)
                if frame is not None and self.runs:
                    self._count(frame)
        except Exception:  # nothing here may reach the script; what was counted is kept
            self.runs = False

    def _count(self, frame):
        where = part = None
        while frame is not None:
            own, of_torch = self._known(frame.f_code)
            if own and where is None:
                where = (frame.f_code.co_filename, frame.f_lineno or 0, frame.f_code.co_name)
            if of_torch is not None and (part is None or of_torch == "data_wait"):
                part = of_torch
            frame = frame.f_back
        self.samples += 1
        if where is not None:
            parts = self.counts.setdefault(where, {})
            parts[part or "other"] = parts.get(part or "other", 0) + 1

    def _known(self, code):
        """Whether it is the script's own, and the part of a step that a call of it is."""
        known = self.known.get(code)
        if known is None:
            path = code.co_filename
            path = path if path.startswith("<") else os.path.abspath(path)
            known = self.known[code] = not place.is_foreign(path), _part_of(path, code.co_name)
        return known

    def write(self, path):
        found = sorted(self.counts.items(), key=lambda entry: -sum(entry[1].values()))
        text = json.dumps({
            "lines": [{"file": os.path.abspath(file), "line": line, "function": function,
                       "part": max(parts, key=parts.get), "samples": sum(parts.values()),
                       "text": linecache.getline(file, line).strip()[:_LONGEST_TEXT]}
                      for (file, line, function), parts in found[:_MOST_LINES]],
            "samples": self.samples,
            "step_ns": [end - begin for begin, end in zip(self.ends, self.ends[1:])],
        }, ensure_ascii=False)
        with open(path, "wb") as file:
            file.write(text.encode("utf-8", "replace"))


def _part_of(path, function):
    if _TORCH not in path:
        return None
    if os.sep + "optim" + os.sep in path and function in ("step", "zero_grad", "wrapper"):
        return "optimizer"
    for end, functions, part in _PARTS:
        if path.endswith(_TORCH + end) and function in functions:
            return part
    return None
