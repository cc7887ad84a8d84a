"""One trial of a script with the agent, driven as tune would: folder, environment, commands."""
import json
import mmap
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import threading
import time

AGENT = pathlib.Path(__file__).resolve().parents[2] / "harness/worker/python"
HEADER_BYTES, RECORD_BYTES = 4096, 16
COMMAND, ARGUMENT = 2048, 2056
KINDS = ("", "ask", "got", "end", "iterate", "fetched", "call", "back", "back_end", "grad",
         "grad_end", "step", "step_end", "clear", "clear_end", "save", "save_end", "loader",
         "epoch", "mark", "lost", "record", "record_end", "optimizer",
         "unseen")
MARK, RECORD, END = 1, 2, 3
FEW = 500  # steps of 0.3 ms: no rank has made them before all ranks are told to end
RECORD_OF = struct.Struct("<BBHiq")


class Notes:
    """The ring of a rank, read as it grows."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 0)
        self.at = HEADER_BYTES
        self.notes = []

    def take(self):
        """All notes so far: (kind, flags, subject, number, moment)."""
        while self.at < len(self.page):
            note = RECORD_OF.unpack_from(self.page, self.at)
            if not note[4]:
                break
            self.notes.append((KINDS[note[0]],) + note[1:])
            self.at += RECORD_BYTES
        return self.notes

    def count(self, kind):
        return sum(note[0] == kind for note in self.take())

    def send(self, command, number=0):
        struct.pack_into("<q", self.page, ARGUMENT, number)
        self.page[COMMAND] = command


class Outcome:
    """What is left of a trial."""

    def __init__(self, folder, code, lines, seconds, notes, window=None):
        self.window = window  # facts of rank 0 at the end of the window, when tune reads them
        self.folder, self.code, self.lines, self.seconds = folder, code, lines, seconds
        self.notes = notes  # of each rank
        self.facts = {int(p.name.split(".")[1]): json.loads(p.read_text())
                      for p in folder.glob("facts.*.json")}
        for facts in self.facts.values():
            facts["ignored"] = {knob["name"]: knob["reason"] for knob in facts["ignored"]}
        self.phases = [line.split()[0] for line in _text(folder / "phases").splitlines()]

    def text(self):
        return "\n".join(line for _, line in self.lines)

    def marks(self):
        return [note[4] for note in self.notes[0].take() if note[0] == "mark" and not note[1]]


def _text(path):
    return path.read_text() if path.exists() else ""


def environment(folder, extra=()):
    """As tune sets it."""
    variables = dict(os.environ)
    path = [str(AGENT)] + [old for old in (variables.get("PYTHONPATH"),) if old]
    variables.update(PYTHONPATH=os.pathsep.join(path), TUNE_TRIAL=str(folder), OMP_NUM_THREADS="1",
                     PYTHONUNBUFFERED="1", PYTHONDONTWRITEBYTECODE="1")
    variables.update(extra)
    return variables


class Driver:
    """Marks the window and ends the trial, after so many steps of the optimizers."""

    def __init__(self, folder, ranks, warmup, steps, kind, profile):
        self.folder, self.ranks, self.kind = folder, ranks, kind
        self.wanted = [(warmup, MARK, 1), (steps, MARK, 2)]  # so many steps after the one before
        if profile:
            self.wanted.append((0, RECORD, 0))
        self.wanted.append((0, END, 0))
        self.notes, self.window = {}, None
        self.since = 0  # steps when the command before was seen to be obeyed

    def look(self):
        for rank in range(self.ranks):
            path = self.folder / ("notes.%d" % rank)
            if rank not in self.notes and path.exists() and path.stat().st_size > HEADER_BYTES:
                self.notes[rank] = Notes(path)
        if len(self.notes) < self.ranks or not self.wanted:
            return
        steps, command, number = self.wanted[0]
        first = self.notes[0]
        if any(notes.page[COMMAND] for notes in self.notes.values()):
            return
        made = first.count(self.kind)
        self.since = made if self.since is None else self.since
        if made < self.since + steps:
            return
        if command == END and self.ranks > 1:
            number = made + FEW
        if (command, number) not in ((MARK, 1), (MARK, 2)) and self.window is None:
            self.window = json.loads((self.folder / "facts.0.json").read_text())
        del self.wanted[0]
        self.since = None
        for notes in self.notes.values():
            if command != RECORD or notes is first:
                notes.send(command, number)


def run(command, folder, knobs=None, warmup=5, steps=40, ranks=1, kind="step_end", profile=None,
        count="steps", timeout=120, cwd=None, extra=(), spec=()):
    """Runs the command, which starts with the Python to use. The folder is made anew."""
    folder = pathlib.Path(folder).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    asked = {"knobs": knobs or {}, "count": count, "profile": profile}
    asked.update(spec)
    (folder / "spec.json").write_text(json.dumps(asked))
    began = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd or folder,
                               env=environment(folder, extra), start_new_session=True)
    lines = []
    reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
    reader.start()
    driver = Driver(folder, ranks, warmup, steps, kind, profile)
    while process.poll() is None and time.monotonic() - began < timeout:
        driver.look()
        time.sleep(0.01)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    reader.join(5)
    driver.look()
    return Outcome(folder, process.wait(), lines, time.monotonic() - began, driver.notes,
                   driver.window)


def _read(stream, lines):
    with stream:
        for line in stream:
            lines.append((time.monotonic_ns(), line.decode(errors="replace").rstrip("\n")))
