#!/usr/bin/env python3
"""`tune trace export --tensorboard` read by torch-tb-profiler's own loader, without a server.

    tensorboard_loader.py --tune build/release/bin/tune TRACE...

Each trace is exported into a folder of its own, and the plug-in's RunLoader reads that folder as TensorBoard would. It
must find the file, understand its name, make the overview, operator and trace views of it, and count as many kernels as
`tune analyze` does.

The plug-in is installed into its own virtual environment (--venv, else in the cache folder) when it is missing.
Exit codes: 0 all were read, 1 one was not, 77 NOT CHECKED because the plug-in is not available.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from python_environment import CannotBeHad, python_with

PACKAGES = ["torch-tb-profiler==0.4.3", "tensorboard==2.20.0", "pandas==2.3.3", "setuptools<81"]
NOT_CHECKED = 77
VIEWS = {"Overview", "Operator", "Trace"}

LOADER = """
import json, sys
from torch_tb_profiler import io
from torch_tb_profiler.profiler import RunLoader

def calls(table):
    column = [column["name"] for column in table["columns"]].index("Calls")
    return sum(row[column] for row in table["rows"])

run = RunLoader("run", sys.argv[1], io.Cache(sys.argv[2])).load()
print("FOUND " + json.dumps([{
    "worker": profile.worker,
    "span": profile.span,
    "views": [view.display_name for view in profile.views],
    "steps": len(profile.overview["steps"]["rows"]),
    "kernels": calls(profile.kernel_table["data"]) if profile.has_kernel else 0,
} for profile in run.profiles.values() if hasattr(profile, "operation_table_by_name")]))
"""


def not_checked(why):
    print(f"NOT CHECKED: {PACKAGES[0]} is not available: {why}", file=sys.stderr)
    sys.exit(NOT_CHECKED)


def python_with_plugin(folder):
    try:
        return python_with(PACKAGES, "from torch_tb_profiler.profiler import RunLoader", folder)
    except CannotBeHad as problem:
        not_checked(problem)


def kernels_of(tune, trace, folder):
    subprocess.run([tune, "analyze", trace, "-q", "-o", folder / "report"], check=True, capture_output=True)
    rows = json.loads((folder / "report/result.json").read_text())["trace"]["partition"]["rows"]
    return rows["kernel"] + rows["communication"]


def load(python, exported, folder):
    """What the plug-in found, or its complaint."""
    # Its default, spawn, would run this program's main module again.
    environment = os.environ | {"TORCH_PROFILER_START_METHOD": "fork"}
    done = subprocess.run([python, "-c", LOADER, exported, folder], env=environment, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        if line.startswith("FOUND ") and (found := json.loads(line.removeprefix("FOUND "))):
            return found[0], ""
    return None, "\n".join(done.stderr.strip().splitlines()[-12:])


def check(tune, python, trace):
    """True when the plug-in reads it correctly."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        exported = folder / "logs"
        done = subprocess.run([tune, "trace", "export", trace, "--tensorboard", exported], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{trace.name}: not exported: {done.stderr.strip()}")
            return False
        found, complaint = load(python, exported, folder / "cache")
        if found is None:
            print(f"{trace.name}: NOT READ by the plug-in\n{complaint}")
            return False
        kernels = kernels_of(tune, trace, folder)
        is_fine = found["kernels"] == kernels and VIEWS <= set(found["views"])
        print(f"{trace.name}: {'read' if is_fine else 'READ WRONGLY'}: worker {found['worker']}, span {found['span']}, "
              f"{found['steps']} steps, {found['kernels']} kernels (tune: {kernels}), views {', '.join(found['views'])}")
        return is_fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tune", required=True, type=pathlib.Path)
    cache = pathlib.Path(os.environ.get("TUNE_CACHE_DIR") or pathlib.Path.home() / ".cache/tune")
    parser.add_argument("--venv", type=pathlib.Path, default=cache / "torch-tb-profiler-0.4.3")
    parser.add_argument("traces", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    python = python_with_plugin(arguments.venv.absolute())
    results = [check(arguments.tune.absolute(), python, trace.absolute()) for trace in arguments.traces]
    print(f"{sum(results)} of {len(results)} exports are read correctly")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
