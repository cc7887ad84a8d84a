#!/usr/bin/env python3
"""`--format google-benchmark` compared by Google Benchmark's own compare.py.

The script comes from Debian's libbenchmark-tools, which is downloaded and unpacked, not installed; SciPy, which it needs, from pip.
A result against itself has no difference; against one in which every trial took 25 % longer, 25 % everywhere.
"""

import json
import pathlib
import shutil
import subprocess
import tempfile

from consumer import RESULTS, cache_folder, expect, not_run, python_of, render, tune_of

PACKAGES = ["scipy==1.15.3", "numpy==2.2.6"]
DEBIAN = "libbenchmark-tools"
SLOWER = 1.25


def compare_script():
    folder = cache_folder() / "consumers" / DEBIAN
    script = folder / "usr/share/benchmark/compare.py"
    if script.exists():
        return script
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        not_run(f"{DEBIAN} is a Debian package, and this is not Debian")
    with tempfile.TemporaryDirectory() as download:
        done = subprocess.run(["apt-get", "download", DEBIAN], cwd=download, capture_output=True, text=True)
        packages = list(pathlib.Path(download).glob("*.deb"))
        if done.returncode != 0 or not packages:
            not_run(f"{DEBIAN} is not available: {(done.stderr.strip().splitlines() or ['no package'])[-1]}")
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["dpkg-deb", "-x", packages[0], folder], check=True)
    return script


def slower(file):
    document = json.loads(file.read_text())
    for benchmark in document["benchmarks"]:
        for name in ("real_time", "cpu_time"):
            benchmark[name] *= SLOWER
    other = file.with_suffix(".slower.json")
    other.write_text(json.dumps(document))
    return other


def compare(python, script, before, after):
    report = before.with_suffix(".difference.json")
    command = [python, "-B", script, "--no-color", "-d", report, "benchmarks", before, after]
    done = subprocess.run(command, capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)
    return json.loads(report.read_text())


def main():
    tune = tune_of(__doc__)
    python = python_of("google-benchmark", PACKAGES, "from scipy.stats import mannwhitneyu, gmean")
    script = compare_script()
    with tempfile.TemporaryDirectory() as folder:
        for result in RESULTS:
            file = render(tune, result, "google-benchmark", pathlib.Path(folder) / f"{result.stem}.json")
            names = {benchmark["name"] for benchmark in json.loads(file.read_text())["benchmarks"]}
            for other, change in ((file, 0), (slower(file), SLOWER - 1)):
                differences = compare(python, script, file, other)
                compared = {each["name"] for each in differences} - {"OVERALL_GEOMEAN"}
                expect(compared == names, f"{result.name}: {names ^ compared}")
                for each in differences:
                    for measurement in each["measurements"]:
                        expect(abs(measurement["time"] - change) < 1e-6, f"{result.name}: {each['name']} {measurement}")
            print(f"{result.name}: {len(names)} benchmarks")


if __name__ == "__main__":
    main()
