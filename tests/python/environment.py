"""Which Python the tests of the agent use, and whether they run at all.

TUNE_PYTHON names one with torch; else there is one in tune's cache, which the set-up makes
(harness/setup/python_torch.sh) where TUNE_PYTHON_TESTS=1 asks for it: torch is a large download.
"""
import os
import pathlib
import subprocess
import sys

SKIPPED = 77  # to ctest
ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKES = "source harness/setup/prepare.sh && prepare_python_torch"


class CannotBeHad(Exception):
    pass


def python():
    """The Python to test with. Ends the test program where there is none, and says why."""
    try:
        return checked(os.environ.get("TUNE_PYTHON") or made())
    except CannotBeHad as reason:
        print("NOT RUN: the tests of the Python agent: %s" % reason, file=sys.stderr)
        sys.exit(SKIPPED)


def checked(program):
    try:
        done = subprocess.run([str(program), "-c", "import torch"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)
    except OSError as problem:
        raise CannotBeHad(problem)
    if done.returncode:
        raise CannotBeHad((done.stdout.strip().splitlines() or ["import torch fails"])[-1])
    return program


def made():
    """That of tune's cache."""
    cache = pathlib.Path(os.environ.get("TUNE_CACHE_DIR") or pathlib.Path(
        os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tune")
    program = cache / "torch-2.11.0-python/bin/python"
    if not program.exists() and os.environ.get("TUNE_PYTHON_TESTS") == "1":
        subprocess.run(["bash", "-c", MAKES], cwd=str(ROOT))
    if not program.exists():
        raise CannotBeHad("set TUNE_PYTHON_TESTS=1 (torch is fetched) or TUNE_PYTHON=<a Python with "
                          "torch>")
    return program
