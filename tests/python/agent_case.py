"""What the tests of the agent share: trials of the small scripts, and the steps in their notes."""
import collections
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import environment
import trial

HERE = pathlib.Path(__file__).resolve().parent
Step = collections.namedtuple("Step", (
    "begin_ns end_ns samples batches optimizer_steps epochs_begun data_wait transfer forward "
    "backward optimizer other evaluation checkpoint pause tune"))
PARTS = Step._fields[6:]


class Grouped:
    """The answer of print_steps."""

    def __init__(self, text):
        self.steps, self.marks, self.numbers = [], {}, {}
        for name, *values in (line.split() for line in text.splitlines()):
            values = [int(value) for value in values]
            if name == "step":
                self.steps.append(Step(*values))
            elif name == "mark":
                self.marks[values[0]] = values[1]
            else:
                self.numbers[name] = values[0]

    def window(self):
        """Steps between the marks."""
        return self.steps[self.marks[1]:self.marks[2]]


@contextlib.contextmanager
def empty_folder():
    with tempfile.TemporaryDirectory(prefix="tune-agent-") as place:
        yield pathlib.Path(place)


class AgentCase(unittest.TestCase):
    python = None  # that runs the scripts
    program = None  # print_steps
    torch = ()  # (2, 11)

    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="tune-agent-")
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name) / "trial"

    def run_script(self, script, *arguments, launcher=(), **options):
        command = [self.python, *launcher, HERE / "scripts" / script, *arguments]
        return trial.run(command, self.folder, **options)

    def group(self, rank=0, batches=False):
        command = [self.program, str(self.folder / ("notes.%d" % rank))]
        done = subprocess.run(command + ["batches"] * batches, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        grouped = Grouped(done.stdout)
        for step in grouped.steps:
            parts = sum(getattr(step, part) for part in PARTS)
            self.assertEqual(parts, step.end_ns - step.begin_ns)
        return grouped

    def measure(self, script, *arguments, **options):
        """A trial that is measured to its end: its outcome and its steps."""
        outcome = self.run_script(script, *arguments, **options)
        self.assertEqual(outcome.code, 0, outcome.text())
        self.assertIn(0, outcome.facts, outcome.text())
        self.assertEqual(outcome.facts[0]["how"], "measured", outcome.text())
        self.assertEqual(outcome.facts[0]["problems"], [])
        return outcome, self.group(batches=options.get("count") == "batches")

    def samples_of_window(self, grouped):
        return sorted({step.samples for step in grouped.window()})


def main():
    """unittest's main, for `<test> <print_steps> [unittest's arguments]`."""
    AgentCase.program = sys.argv.pop(1)
    AgentCase.python = environment.python()
    asked = subprocess.run([AgentCase.python, "-c", "import torch; print(torch.__version__)"],
                           capture_output=True, text=True, check=True)
    AgentCase.torch = tuple(int(part) for part in asked.stdout.split(".")[:2])
    os.environ["OMP_NUM_THREADS"] = "1"
    unittest.main(verbosity=2)
