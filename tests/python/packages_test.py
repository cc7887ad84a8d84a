"""packages_test.py FOLDER: packages that AOTInductor of a Python with torch compiles, measured by the
tune and the worker in the folder. Ends with 77 where no Python has that torch, or no setuptools."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import environment

COMPILE = """
import sys, torch
class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(16, 32), torch.nn.Linear(32, 10)
    def forward(self, x):
        return self.second(torch.relu(self.first(x)))
fixed = torch.export.export(Small().eval(), (torch.randn(8, 16),))
torch.export.save(fixed, sys.argv[1] + "/exported.pt2")
torch._inductor.aoti_compile_and_package(fixed, package_path=sys.argv[1] + "/fixed.pt2")
batch = torch.export.Dim("batch", min=2, max=64)
free = torch.export.export(Small().eval(), (torch.randn(8, 16),), dynamic_shapes=({0: batch},))
torch._inductor.aoti_compile_and_package(free, package_path=sys.argv[1] + "/free.pt2")
"""
NEEDS = "import setuptools, torch, sys; sys.exit(not torch.__version__.startswith('2.11.'))"
SCENARIO = """
tune: 1
name: package
workload: {package: %s, input: [16]}
data: {source: synthetic, samples: %d}
baseline: {batch_size: 8}
grid: {intra_op_threads: [1]}
measure: {warmup: 10ms, rounds: 2, slices: 2, slice: 10ms}
profile: {cells: none}
search: {strategy: grid, confirm: 1, confirm_rounds: 6}
"""


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.home = pathlib.Path(cls.folder.name)
        done = subprocess.run([PYTHON, "-c", COMPILE, str(cls.home)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True,
                              env=dict(environment.os.environ, TORCHINDUCTOR_CACHE_DIR=str(cls.home / "cache")))
        if done.returncode:
            raise RuntimeError(done.stdout)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_of(self, package, samples=64):
        """The exit code, what was said, and the result of a run."""
        (self.home / "package.yaml").write_text(SCENARIO % (package, samples))
        variables = {name: str(self.home / name) for name in ("TUNE_DATA_DIR", "TUNE_RUNTIME_DIR")}
        done = subprocess.run([str(BIN / "tune"), "run", "package.yaml", "-q", "-o", package + ".run"], cwd=str(self.home),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              env=dict(environment.os.environ, **variables))
        result = self.home / (package + ".run") / "result.json"
        return done.returncode, done.stderr, json.loads(result.read_text()) if result.exists() else None

    def test_a_package_is_measured(self):
        code, said, result = self.run_of("fixed.pt2")
        self.assertEqual(code, 0, said)
        self.assertEqual(result["summary"]["trials"]["failed"], 0)

    def test_its_fixed_batch_size_is_named(self):
        code, said, _ = self.run_of("fixed.pt2", samples=67)
        self.assertEqual(code, 2, said)
        self.assertIn("the last batch of an epoch has 3 samples in place of 8", said)
        self.assertIn("fixed.pt2 was compiled for batches of 8 (this one is [3, 16])", said)

    def test_a_free_batch_size_takes_a_smaller_last_batch(self):
        code, said, _ = self.run_of("free.pt2", samples=67)
        self.assertEqual(code, 0, said)

    def test_a_program_without_code_is_refused(self):
        code, said, _ = self.run_of("exported.pt2")
        self.assertEqual(code, 2, said)
        self.assertIn("exported.pt2 has no compiled code (torch.export.save writes the program alone)", said)


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv.pop(1)).resolve()
    PYTHON = str(environment.python())
    if subprocess.run([PYTHON, "-c", NEEDS], stderr=subprocess.DEVNULL).returncode:
        print("NOT RUN: the test of AOTInductor's packages: %s has no torch 2.11 with setuptools" % PYTHON, file=sys.stderr)
        sys.exit(environment.SKIPPED)
    unittest.main()
