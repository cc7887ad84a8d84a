#!/usr/bin/env python3
"""What HolisticTraceAnalysis says of the traces of the cases: writes the line `hta` of each case.yaml.

    other_tool.py [--venv DIR] [CASE...]

It breaks down the time of kernels (get_temporal_breakdown, get_idle_time_breakdown) and gives no advice; of a trace
without kernels it says nothing. It is installed into its own virtual environment where that is missing. Exit codes:
0 written, 77 where it cannot be had.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "bench"))
from python_environment import CannotBeHad, python_with  # noqa: E402

PACKAGES = ["HolisticTraceAnalysis==0.5.0", "pandas==2.3.3", "numpy==2.3.5"]
NOT_MEASURED = 77

THEIRS = """
import logging, sys
logging.disable(logging.CRITICAL)
from hta.trace_analysis import TraceAnalysis
analysis = TraceAnalysis(trace_files=dict(enumerate(sys.argv[2:])), trace_dir=sys.argv[1])
shares = analysis.get_temporal_breakdown(visualize=False).iloc[0]
print("HTA idle %.0f" % shares["idle_time_pctg"])
idle = analysis.get_idle_time_breakdown(ranks=[0], visualize=False)[0]
sums = idle.groupby("idle_category")["idle_time"].sum()
print("HTA of " + sums.idxmax() if sums.sum() else "HTA of nothing")
"""


def said(python, inputs):
    """A few words: the largest part of the idle time, or why there is none."""
    with tempfile.TemporaryDirectory(prefix="tune-hta-") as folder:
        done = subprocess.run([python, "-c", THEIRS, folder, *inputs], capture_output=True, text=True)
    idle = re.search(r"^HTA idle (\d+)", done.stdout, re.MULTILINE)
    if not idle:
        return "fails"
    kind = re.search(r"^HTA of (.*)", done.stdout, re.MULTILINE)
    return "idle %s %%%s" % (idle.group(1), ", most of it " + kind.group(1).replace("_", " ") if kind else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    parser.add_argument("--venv", type=pathlib.Path, default=cache / "tune" / "hta")
    parser.add_argument("cases", nargs="*")
    given = parser.parse_args()
    try:
        python = python_with(PACKAGES, "import hta.trace_analysis", given.venv)
    except CannotBeHad as problem:
        print(f"NOT MEASURED: {PACKAGES[0]} is not available: {problem}", file=sys.stderr)
        sys.exit(NOT_MEASURED)
    for file in sorted(HERE.glob("*/case.yaml")):
        if given.cases and file.parent.name not in given.cases:
            continue
        text = re.sub(r"^hta: .*\n", "", file.read_text(), flags=re.MULTILINE)
        inputs = re.search(r"^input: (.*)", text, re.MULTILINE).group(1).strip("[]").replace(",", " ").split()
        if all(re.search(r"\.json(\.gz)?$", name) for name in inputs):
            answer = said(python, [str(HERE.parents[1] / name) for name in inputs])
            text += f"hta: {answer}\n"
            print(f"{file.parent.name}: {answer}")
        file.write_text(text)


if __name__ == "__main__":
    main()
