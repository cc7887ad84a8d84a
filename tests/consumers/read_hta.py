#!/usr/bin/env python3
"""A trace of our writer, with rows of a GPU, read by HolisticTraceAnalysis: its figures of the GPU are the true ones within
2 us a row (HTA rounds both ends), those of `tune analyze` are exact, and HTA's critical path finds what our cuda_sync rows join."""

import json
import pathlib
import subprocess
import tempfile

from consumer import expect, programs_of, python_of, read_by

PACKAGES = ["HolisticTraceAnalysis==0.5.0", "pandas==2.3.3", "numpy==2.3.5"]
WITHIN_US = 2.0

READER = """
import contextlib, json, sys

with contextlib.redirect_stdout(sys.stderr):
    from hta.trace_analysis import TraceAnalysis

    analysis = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir=sys.argv[2])
    row = analysis.get_temporal_breakdown(visualize=False).iloc[0]
    graph, succeeded = analysis.critical_path_analysis(rank=0, annotation="ProfilerStep", instance_id=1)
    breakdown = graph.get_critical_path_breakdown() if succeeded else None
found = {"span_us": float(row["kernel_time(us)"]), "idle_us": float(row["idle_time(us)"]),
         "kernel_us": float(row["compute_time(us)"]), "has_path": bool(succeeded),
         "path_rows": 0 if breakdown is None else len(breakdown)}
print(json.dumps(found))
"""


def metrics_of(tune, trace, folder):
    subprocess.run([tune, "analyze", trace, "-o", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    result = json.loads((folder / "result.json").read_text())
    return result["trace"]["partition"]


def main():
    tune, writer = programs_of(__doc__, "tune", "writer")
    python = python_of("hta", PACKAGES, "import hta.trace_analysis")
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.json.gz"
        true = json.loads(subprocess.run([writer, trace], check=True, capture_output=True, text=True).stdout)
        theirs = read_by(python, READER, trace, folder)
        partition = metrics_of(tune, trace, pathlib.Path(folder) / "report")
    print(json.dumps({"true": true, "hta": theirs, "tune": partition}))
    ours_us = (partition["exposed_ns"]["kernel"] + partition["overlapped_ns"]["kernel"]) / 1000
    kernels, copies = partition["rows"]["kernel"], partition["rows"]["memcpy"]
    for what, found, expected, rounded in [  # each row of a sum is rounded
        ("HTA's time from the first to the last work", theirs["span_us"], true["span_us"], 1),
        ("HTA's time of kernels", theirs["kernel_us"], true["kernel_us"], kernels),
        ("HTA's idle time", theirs["idle_us"], true["span_us"] - true["busy_us"], kernels + copies),
        ("tune's time of kernels", ours_us, true["kernel_us"], 0),
        ("tune's busy time", partition["devices"][0]["busy_ns"] / 1000, true["busy_us"], 0),
    ]:
        allowed = WITHIN_US * rounded + 0.001
        expect(abs(found - expected) <= allowed, f"{what}: {found} us, {expected} us are right")
    expect(theirs["has_path"] and theirs["path_rows"] > 0, "HTA finds no critical path")


if __name__ == "__main__":
    main()
