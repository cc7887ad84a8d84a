"""Runs the tests of the agent under every Python that is named, and prints a table.

    versions.py <print_steps> [--only attaching,counting] PYTHON...

Each Python has torch, or has none: then only what needs none is run. Ends with 1 where a test
fails. A cell says how many tests passed, and how many were skipped because that torch has not what
they are about.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
NEED_NO_TORCH = ("ring", "gpu_parts", "change", "change_forms", "change_off")
NEED_TORCH = ("attaching", "counting", "knobs", "recording", "round_trip", "tuning", "undoing")
LONGEST_S = 1800  # as ctest allows


def options():
    parser = argparse.ArgumentParser(usage="versions.py <print_steps> [--only TEST,...] PYTHON...")
    parser.add_argument("program")
    parser.add_argument("--only", default=",".join(NEED_NO_TORCH + NEED_TORCH))
    parser.add_argument("pythons", nargs="+")
    return parser.parse_args()


def answer_of(python, text):
    done = subprocess.run([python, "-c", text], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def run_test(name, python, program, log):
    """"21", "20 (1 skipped)" or "FAILED: test_a, test_b"."""
    with_it = name in NEED_TORCH
    words = [sys.executable if with_it else python, "-B", str(HERE / (name + "_test.py"))]
    done = subprocess.run(words + [program] * with_it, stdout=log, stderr=subprocess.STDOUT,
                          env=dict(os.environ, TUNE_PYTHON=python), timeout=LONGEST_S)
    log.seek(0)
    text = log.read()
    ran = re.search(r"^Ran (\d+) test", text, re.MULTILINE)
    skipped = re.search(r"skipped=(\d+)", text)
    if done.returncode == 0 and ran:
        count = int(skipped.group(1)) if skipped else 0
        return "%d (%d skipped)" % (int(ran.group(1)) - count, count) if count else ran.group(1)
    failed = re.findall(r"^(?:FAIL|ERROR): (\w+)", text, re.MULTILINE)
    return "FAILED: %s" % (", ".join(sorted(set(failed))) or "exit code %d" % done.returncode)


def main():
    wish = options()
    names = wish.only.split(",")
    program = str(pathlib.Path(wish.program).resolve())
    has_failed = False
    print("| Python | torch | %s | |\n|%s" % (" | ".join(names), "---|" * (len(names) + 3)))
    for python in wish.pythons:
        version = answer_of(python, "import platform; print(platform.python_version())")
        torch = answer_of(python, "import torch; print(torch.__version__)")
        began, cells = time.monotonic(), []
        for name in names:
            if name in NEED_TORCH and not torch:
                cells.append("no torch")
                continue
            with tempfile.TemporaryFile("w+") as log:
                cells.append(run_test(name, python, program, log))
                if cells[-1].startswith("FAILED"):
                    has_failed = True
                    log.seek(0)
                    sys.stderr.write(log.read())
        print("| %s | %s | %s | %.0f s |" % (version, torch or "none", " | ".join(cells),
                                             time.monotonic() - began), flush=True)
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
