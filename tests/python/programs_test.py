"""programs_test.py FOLDER: programs of other people, looked at by the tune in the folder as `tune init` does.

TUNE_PYTHON_SUBJECTS names a folder with a folder for each program, which is not part of this repository:

    NAME/command    one line: the words of the command, run in NAME; {python} is the Python of the tests
    NAME/samples    optional: how many samples a step has

Ends with 77 where the variable is not set.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import environment


class Programs(unittest.TestCase):
    tune = None
    python = None
    subjects = None

    def test_each_is_seen_to_train(self):
        folders = sorted(path.parent for path in self.subjects.glob("*/command"))
        self.assertTrue(folders, "%s: no folder with a file `command`" % self.subjects)
        for folder in folders:
            with self.subTest(folder.name), tempfile.TemporaryDirectory() as place:
                self.look_at(folder, pathlib.Path(place) / "scenario.yaml")

    def look_at(self, folder, scenario):
        words = shlex.split((folder / "command").read_text().replace("{python}", self.python))
        done = subprocess.run([self.tune, "init", "-o", scenario, "--", *words], cwd=folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, said)
        self.assertTrue(scenario.exists(), said)
        rate = re.search(r"([\d.]+)(us|ms|s) a step, ([\d.]+) samples/s", said)
        self.assertTrue(rate, said)
        self.assertNotIn("tune_agent", said)
        samples = folder / "samples"
        if samples.exists():
            step_s = float(rate.group(1)) * {"us": 1e-6, "ms": 1e-3, "s": 1}[rate.group(2)]
            self.assertAlmostEqual(step_s * float(rate.group(3)) / float(samples.read_text()), 1, 1)
        print("%s: %s" % (folder.name, rate.group(0)), file=sys.stderr)


def main():
    subjects = os.environ.get("TUNE_PYTHON_SUBJECTS")
    if not subjects:
        print("NOT RUN: TUNE_PYTHON_SUBJECTS names no folder with programs", file=sys.stderr)
        sys.exit(77)
    Programs.subjects = pathlib.Path(subjects).resolve()
    Programs.tune = pathlib.Path(sys.argv.pop(1)).resolve() / "tune"
    Programs.python = environment.python()
    unittest.main(verbosity=2)


if __name__ == "__main__":
    main()
