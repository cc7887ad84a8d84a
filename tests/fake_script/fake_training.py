"""A training without torch, run as the user's command: it plays the agent's part, so that whatever
above a script is tested in milliseconds. README.md lists what it can do wrong."""
import argparse
import fcntl
import gzip
import itertools
import json
import os
import signal
import sys
import time

FOLDER = os.environ.get("TUNE_TRIAL", "")
# The agent's own sitecustomize has taken its folder off sys.path.
sys.path.insert(0, os.environ.get("PYTHONPATH", "").split(os.pathsep)[0])


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--step-ms", type=float, default=2)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--workers", type=int, default=0, help="the script's own option")
    parser.add_argument("--faster", action="append", default=[], metavar="KNOB=VALUE:FACTOR",
                        help="with that value a step takes so many times as long")
    parser.add_argument("--epoch", type=int, default=1000, help="steps of an epoch")
    parser.add_argument("--steps", type=int, default=1 << 40, help="then it ends by itself")
    parser.add_argument("--exit", type=int, default=0, help="its exit code then")
    parser.add_argument("--leave", action="store_true", help="it ends by os._exit")
    parser.add_argument("--fail-at", type=int, metavar="STEP", help="an exception; 0: before all")
    parser.add_argument("--starts-for", type=float, default=0, help="seconds before its first step")
    parser.add_argument("--compiles-for", type=float, default=0, help="seconds, in its first step")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--late-rank", type=float, default=0, help="seconds, the last one comes later")
    parser.add_argument("--hangs-at", type=int, metavar="STEP")
    parser.add_argument("--ignore", choices=("mark", "record", "end"), action="append", default=[])
    parser.add_argument("--trace", action="store_true", help="what it records is in a file")
    parser.add_argument("--no-trace", metavar="REASON", help="why nothing is recorded")
    parser.add_argument("--garbage", choices=(
        "ring", "header", "begun", "cut", "facts", "phases", "pipe", "deep"))
    parser.add_argument("--garbage-at", type=int, default=20, metavar="STEP")
    parser.add_argument("--kill-group", type=int, metavar="STEP")
    parser.add_argument("--leaves-child", metavar="FILE", help="for its process id")
    parser.add_argument("--daemon", action="store_true", help="trains in the background")
    parser.add_argument("--chdir")
    parser.add_argument("--print-to", type=int, metavar="DESCRIPTOR")
    parser.add_argument("--read-stdin", action="store_true")
    parser.add_argument("--prints", type=int, default=0, metavar="BYTES", help="in each step")
    parser.add_argument("--says", metavar="STEP:LINE", help="prints the line at that step")
    parser.add_argument("--never", action="store_true", help="it makes no step")
    parser.add_argument("--no-torch", action="store_true", help="and imports none")
    parser.add_argument("--log", metavar="FILE", help="a line for each start")
    return parser.parse_args()


def read_spec():
    try:
        with open(os.path.join(FOLDER, "spec.json")) as file:
            return json.load(file)
    except OSError:  # run by hand, without tune
        return {"knobs": {}, "count": "steps"}


def begin_of_trial():
    try:
        orders = os.stat(os.path.join(FOLDER, "spec.json"))
    except OSError:
        return None
    return orders.st_ino, orders.st_ctime_ns


def recorded_steps(count):
    """A trace as torch.profiler writes it: of each step of 10 ms, 7 ms wait for data."""
    parts = (("user_annotation", "ProfilerStep#%d", 0, 10000),
             ("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 7000),
             ("cpu_op", "aten::stack", 5000, 1000),
             ("user_annotation", "forward", 7000, 1000), ("cpu_op", "aten::linear", 7100, 800),
             ("user_annotation", "backward", 8000, 1500), ("cpu_op", "aten::mm", 8100, 1300),
             ("user_annotation", "Optimizer.step#SGD.step", 9500, 400))
    return {"traceEvents": [
        {"ph": "X", "cat": category, "name": name % step if "%d" in name else name, "pid": 1,
         "tid": 1, "ts": 1000 + 10000 * step + begin, "dur": length}
        for step in range(count) for category, name, begin, length in parts]}


BUSY_LINES = {"samples": 100, "step_ns": [20000000] * 20, "lines": [
    {"file": "/home/me/data.py", "line": 9, "function": "__getitem__", "part": "data_wait",
     "samples": 68, "text": "image = Image.open(path)"},
    {"file": "/home/me/train.py", "line": 42, "function": "main", "part": "other", "samples": 12,
     "text": "total += loss.item()"}]}


class Facts:
    """facts.<rank>.json, as the agent's facts.py writes it."""

    def __init__(self, wish, knobs, rank):
        self.wish, self.knobs, self.rank = wish, knobs, rank
        self.failure = self.profile = None
        watched = wish.log and read_spec().get("watch_files")
        self.written = {os.path.abspath(wish.log): 1} if watched else {}

    def write(self, how):
        wish, knobs = self.wish, self.knobs
        loader = {
            "place": {"file": "train.py", "line": 12, "function": "main"}, "library": None,
            "class": "DataLoader", "dataset": "ImageFolder", "batch_size": wish.batch,
            "num_workers": knobs.get("num_workers", wish.workers), "prefetch_factor": None,
            "pin_memory": knobs.get("pin_memory", False), "persistent_workers": False,
            "in_order": True, "dataset_length": wish.batch * wish.epoch,
            "epoch_samples": wish.batch * wish.epoch, "iterable": False, "fetches_batches": False}
        facts = {
            "facts": 1, "how": how, "attached": "sitecustomize", "pid": os.getpid(),
            "rank": self.rank, "world": wish.ranks, "python": sys.version.split()[0],
            "torch": None if wish.no_torch else "2.11.0", "argv": sys.argv,
            "executable": sys.executable, "folder": os.getcwd(), "phases": [],
            "peak_memory_bytes": 1 << 20, "loaders": [] if wish.never else [loader], "places": {},
            "applied": knobs, "ignored": [], "resisted": [],
            "observed": {"intra_op_threads": 1, "models": [
                {"class": "Net", "device": "cpu", "parameters": 100, "channels_last": None}]},
            "arguments": None, "written": self.written, "profile": self.profile, "failure": self.failure,
            "losses": [{"backward": 1, "value": 2.5}], "problems": []}
        path = os.path.join(FOLDER, "facts.%d.json" % self.rank)
        with open(path + ".part", "w") as file:
            json.dump(facts, file)
        os.replace(path + ".part", path)


class Training:
    """A rank that takes steps and obeys."""

    def __init__(self, wish, rank):
        from tune_agent import ring

        self.wish, self.rank, self.rings = wish, rank, ring
        self.trial = begin_of_trial()
        spec = read_spec()
        self.knobs, self.by_batch = spec["knobs"], spec["count"] == "batches"
        self.facts = Facts(wish, self.knobs, rank)
        self.ring = ring.scouting_ring()
        self.step_s = wish.step_ms / 1000
        for faster in wish.faster:
            setting, factor = faster.rsplit(":", 1)
            knob, value = setting.split("=")
            now = wish.workers if knob == "num_workers" else None
            if str(self.knobs.get(knob, now)).lower() == value:
                self.step_s *= float(factor)
        profile = spec.get("profile") or {}
        self.active = profile.get("active", 3)
        self.to_record = profile.get("warmup", 0) + self.active
        self.recorded = -1
        self.begun_ns = time.monotonic_ns()

    def note(self, kind, number=0, flags=0):
        self.ring.note(kind, 0, flags, number)

    def claim(self):
        path = os.path.join(FOLDER, "claim.%d" % self.rank)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        self.ring = self.rings.ring_in_file(
            os.path.join(FOLDER, "notes.%d" % self.rank), self.rank, self.ring)
        if os.path.exists(os.path.join(FOLDER, "over")) or begin_of_trial() != self.trial:
            os._exit(0)
        if self.rank == 0:
            self.say("first-batch", self.begun_ns)
            self.say("warmup", time.monotonic_ns())

    def say(self, phase, moment):
        with open(os.path.join(FOLDER, "phases"), "a") as file:
            file.write("%s %d\n" % (phase, moment))

    def run(self):
        wish, rings = self.wish, self.rings
        for step in itertools.count():
            if step == wish.fail_at:
                self.facts.failure = {"kind": "threw", "message": "ValueError: 3 is not 4"}
                self.facts.write("ended")
                raise ValueError("3 is not 4")
            if step == wish.steps:
                return self.end_by_itself()
            if step == wish.hangs_at:
                time.sleep(3600)
            if step == wish.kill_group:
                os.killpg(0, signal.SIGTERM)
            if step == 1:
                self.claim()
            self.take(step)
            if wish.garbage and step == wish.garbage_at:
                self.spoil(wish.garbage)

    def take(self, step):
        """One step: a fifth of it waits for data."""
        rings, until = self.rings, time.monotonic() + self.step_s
        if step % self.wish.epoch == 0:
            if step:
                self.note(rings.END)
            self.note(rings.LOADER, self.wish.batch)
            self.note(rings.EPOCH, self.wish.batch * self.wish.epoch)
            self.note(rings.ITERATE, 1)
        if self.ring.page[rings.COMMAND]:
            self.obey(step)
        self.note(rings.ASK)
        time.sleep(self.step_s / 5)
        self.note(rings.GOT, self.wish.batch, rings.GRADIENTS)
        self.note(rings.CALL, 0, rings.GRADIENTS)
        if step == 0:
            time.sleep(self.wish.compiles_for)
        if not self.by_batch:
            self.note(rings.BACK)
            time.sleep(max(0, until - time.monotonic()))
            self.note(rings.BACK_END)
            self.note(rings.STEP)
            self.note(rings.STEP_END)
        else:
            time.sleep(max(0, until - time.monotonic()))
        if self.wish.says and step == int(self.wish.says.split(":")[0]):
            print(self.wish.says.split(":", 1)[1])
        if self.wish.prints:
            print("x" * self.wish.prints, flush=True)

    def obey(self, step):
        rings, page = self.rings, self.ring.page
        command = page[rings.COMMAND]
        number = int.from_bytes(page[rings.ARGUMENT:rings.ARGUMENT + 8], "little", signed=True)
        if ("", "mark", "record", "end")[command] in self.wish.ignore:
            return
        if command == 1:
            self.note(rings.MARK, number, rings.BEGINS)
            self.facts.write("measuring")
            page[rings.COMMAND] = 0
            self.note(rings.MARK, number)
        elif command == 2 and self.recorded < 0:
            self.note(rings.RECORD)
            self.recorded = step
        elif command == 2 and step >= self.recorded + self.to_record:
            self.note(rings.RECORD_END)
            self.facts.profile = {"reason": self.wish.no_trace or "nothing records here"}
            if self.wish.trace:
                with gzip.open(os.path.join(FOLDER, "trace.json.gz"), "wt") as file:
                    json.dump(recorded_steps(self.active), file)
                with open(os.path.join(FOLDER, "lines.json"), "w") as file:
                    json.dump(BUSY_LINES, file)
                self.facts.profile = {"file": "trace.json.gz"}
            self.facts.write("measured")
            page[rings.COMMAND] = 0
        elif command == 3 and (self.wish.ranks == 1 or step >= number):
            self.facts.write("measured")
            os._exit(0)

    def end_by_itself(self):
        if self.wish.leave:
            os._exit(self.wish.exit)
        self.facts.write("ended")
        sys.exit(self.wish.exit)

    def spoil(self, what):
        """Writes where the script has no business."""
        page, path = self.ring.page, os.path.join(FOLDER, "notes.%d" % self.rank)
        facts = os.path.join(FOLDER, "facts.%d.json" % self.rank)
        if what == "ring":
            page[4096:] = b"\xab" * (len(page) - 4096)
        elif what == "header":
            page[:64] = bytes(range(64))
        elif what == "begun":
            page[64:72] = (1 << 60).to_bytes(8, "little")
        elif what == "cut":
            os.truncate(path, 100)
        elif what == "phases":
            with open(os.path.join(FOLDER, "phases"), "wb") as file:
                file.write(b"first-batch -1\nwarmup 99999999999999999999\n\xff\xfe\n" * 9)
        else:
            self.facts.write = lambda how: None
            if os.path.exists(facts):
                os.unlink(facts)
            if what == "pipe":
                os.mkfifo(facts)
            else:
                with open(facts, "wb") as file:
                    file.write(b"[" * 500000 if what == "deep" else b'{"facts": 1, "how": "\xff"')


def leave_child(path):
    """It has a session of its own, and lives for long."""
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with open(path, "w") as file:
            file.write("%d\n" % os.getpid())
        time.sleep(600)
        os._exit(0)


def begin(wish):
    if wish.log:
        with open(wish.log, "a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write("%s\n" % json.dumps(read_spec()["knobs"], sort_keys=True))
    if wish.chdir:
        os.chdir(wish.chdir)
    if wish.print_to is not None:
        try:
            os.write(wish.print_to, b"no phase 12\n")
        except OSError:
            print("descriptor %d is closed" % wish.print_to, file=sys.stderr)
    if wish.read_stdin:
        print("read %d bytes" % len(sys.stdin.read()), flush=True)
    if wish.leaves_child:
        leave_child(wish.leaves_child)
    if wish.daemon:
        if os.fork():
            os._exit(0)
        os.setsid()


def main():
    wish = options()
    begin(wish)
    time.sleep(wish.starts_for)
    if wish.never:
        if not wish.no_torch:
            Facts(wish, {}, 0).write("no-step")
        sys.exit(wish.exit)
    children = []
    for rank in range(1, wish.ranks):
        child = os.fork()
        if child == 0:
            time.sleep(wish.late_rank if rank == wish.ranks - 1 else 0)
            Training(wish, rank).run()
        children.append(child)
    Training(wish, 0).run()


if __name__ == "__main__":
    main()
