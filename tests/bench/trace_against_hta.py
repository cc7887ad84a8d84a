#!/usr/bin/env python3
"""`tune analyze` against HolisticTraceAnalysis on the same traces: wall time and peak memory.

    trace_against_hta.py --tune build/release/bin/tune [--runs 5] TRACE...

Each side runs in its own process, alternating. Theirs does what its first page shows: TraceAnalysis(...) and
get_temporal_breakdown(); that time is counted without Python's imports, and once more with them. Ours is the whole
process, with all metrics, tables and reports. Peak memory is the largest resident set of a process; the process that
HTA forks to parse is counted alone, not with its parent, which flatters HTA.

HTA is installed into its own virtual environment (--venv, else in the cache folder) when it is missing. Exit
codes: 0 measured, 1 an aim was missed, 77 NOT MEASURED because HTA is not available.
"""

import argparse
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from python_environment import CannotBeHad, python_with

PACKAGES = ["HolisticTraceAnalysis==0.5.0", "pandas==2.3.3", "numpy==2.3.5"]
AIM_FASTER, AIM_MEMORY = 10, 1 / 5
NOT_MEASURED = 77

THEIRS = """
import json, sys, time
from hta.trace_analysis import TraceAnalysis
begin = time.perf_counter()
analysis = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir=sys.argv[2])
breakdown = analysis.get_temporal_breakdown(visualize=False)
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "kernel_us": float(breakdown["kernel_time(us)"][0])}))
"""


def not_measured(why):
    print(f"NOT MEASURED: {PACKAGES[0]} is not available: {why}", file=sys.stderr)
    sys.exit(NOT_MEASURED)


def python_with_hta(folder):
    try:
        return python_with(PACKAGES, "import hta.trace_analysis", folder)
    except CannotBeHad as problem:
        not_measured(problem)


def run(command):
    """Wall seconds, peak resident bytes, and what it printed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            last = err.read().decode(errors="replace").strip().splitlines()[-1:]
            return None, f"exit {process.returncode}: {''.join(last)}", ""
        return seconds, usage.ru_maxrss * 1024, out.read().decode()


def json_bytes(path):
    total = 0
    with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
        while block := file.read(1 << 20):
            total += len(block)
    return total


def measure(path, arguments, python, folder):
    """Lists of (seconds, bytes) for tune, of (seconds, seconds with imports, bytes) for HTA; or why not."""
    ours, theirs = [], []
    for _ in range(arguments.runs):
        seconds, peak, _ = run([arguments.tune.absolute(), "analyze", path, "-o", folder / "report"])
        if seconds is None:
            return f"tune: {peak}"
        ours.append((seconds, peak))
        seconds, peak, text = run([python, "-c", THEIRS, path, folder])
        if seconds is None:
            return f"HTA cannot read it: {peak}"
        theirs.append((json.loads(text.splitlines()[-1])["seconds"], seconds, peak))
    return ours, theirs


def median(rows, column):
    return statistics.median(row[column] for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tune", required=True, type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    cache = pathlib.Path(os.environ.get("TUNE_CACHE_DIR") or pathlib.Path.home() / ".cache/tune")
    parser.add_argument("--venv", type=pathlib.Path, default=cache / "hta-0.5.0")
    parser.add_argument("traces", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    python = python_with_hta(arguments.venv.absolute())
    print(f"{arguments.runs} alternating runs of each side, medians; load before them: {os.getloadavg()[0]:.2f}\n")
    print("| trace | JSON | tune | HTA | HTA with imports | faster | tune's peak | HTA's peak | share |")
    print("|---|---|---|---|---|---|---|---|---|")
    missed = compared = 0
    for path in arguments.traces:
        with tempfile.TemporaryDirectory() as folder:
            measured = measure(path.absolute(), arguments, python, pathlib.Path(folder))
        if isinstance(measured, str):
            print(f"| {path.name} | not compared: {measured} |")
            continue
        ours, theirs = measured
        compared += 1
        seconds, peak = median(ours, 0), median(ours, 1)
        faster, share = median(theirs, 0) / seconds, peak / median(theirs, 2)
        missed += faster < AIM_FASTER or share > AIM_MEMORY
        print(f"| {path.name} | {json_bytes(path) / 1e6:.1f} MB | {seconds:.3f} s | {median(theirs, 0):.3f} s "
              f"| {median(theirs, 1):.3f} s | {faster:.1f} x | {peak / 1e6:.1f} MB | {median(theirs, 2) / 1e6:.1f} MB "
              f"| {share:.3f} |", flush=True)
    print(f"\naims: at least {AIM_FASTER} x faster (without imports), at most {AIM_MEMORY:.2f} of the memory: "
          f"{compared - missed} of {compared} traces reach both")
    return 1 if missed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
