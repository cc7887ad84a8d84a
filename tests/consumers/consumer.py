"""Shared by the tests of consumers: results to render, and programs that are installed or reported as missing."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/bench"))

from python_environment import CannotBeHad, python_with  # noqa: E402

NOT_RUN = 77
unpacked = tempfile.TemporaryDirectory()  # deleted with the process
with tarfile.open(SOURCE / "tests/recorded/results.tgz") as archive:
    archive.extractall(unpacked.name)
RESULTS = sorted(pathlib.Path(unpacked.name).glob("results/*.json")) + [SOURCE / "tests/golden/report/sample.json"]


def not_run(why):
    print(f"NOT RUN: {why}", file=sys.stderr)
    sys.exit(NOT_RUN)


def programs_of(description, *names):
    """The programs under test, from the command line: --tune and the like."""
    parser = argparse.ArgumentParser(description=description)
    for name in names:
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    return [getattr(arguments, name) for name in names]


def tune_of(description):
    return programs_of(description, "tune")[0]


def cache_folder():
    named = os.environ.get("TUNE_CACHE_DIR")
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(named) if named else pathlib.Path(base) / "tune"


def python_of(name, packages, imports):
    """The python of an environment that has these packages. Ends the test when it is not available or not wanted."""
    if os.environ.get("TUNE_CONSUMERS") != "1":
        not_run("TUNE_CONSUMERS=1 installs " + " ".join(packages) + " and lets them read what tune writes")
    try:
        return python_with(packages, imports, cache_folder() / "consumers" / name)
    except CannotBeHad as problem:
        not_run(f"{packages[0]} is not available: {problem}")


def render(tune, result, format_name, file):
    """Writes a result in a format into a file."""
    command = [tune, "report", result, "--format", format_name, "-o", file]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=SOURCE)
    return file


def read_by(python, script, *arguments):
    """The JSON output of a script in another python. Its error ends the test."""
    done = subprocess.run([python, "-c", script, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
        sys.exit(1)
    return json.loads(done.stdout)


def expect(condition, what):
    if not condition:
        print(f"FAILED: {what}", file=sys.stderr)
        sys.exit(1)
