#!/usr/bin/env python3
"""`--format openmetrics` and `gitlab-metrics` read by the OpenMetrics parser of prometheus-client: values as in result.json."""

import json
import pathlib
import tempfile

from consumer import RESULTS, expect, python_of, read_by, render, tune_of

PACKAGES = ["prometheus-client==0.21.1"]

READER = """
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    families = list(text_string_to_metric_families(file.read()))
print(json.dumps([[sample.name, sample.labels, sample.value, family.type, family.unit]
                  for family in families for sample in family.samples]))
"""


def rate_of(samples, labels):
    wanted = [value for name, own, value, kind, unit in samples
              if name == "tune_throughput_samples_per_second" and labels.items() <= own.items()]
    expect(len(wanted) == 1, f"{labels}: {wanted}")
    return wanted[0]


def main():
    tune = tune_of(__doc__)
    python = python_of("openmetrics", PACKAGES, "from prometheus_client.openmetrics import parser")
    with tempfile.TemporaryDirectory() as folder:
        for result in RESULTS:
            document = json.loads(result.read_text())
            window = "gate" if document["gate"] else "search"
            exact = read_by(python, READER, render(tune, result, "openmetrics", pathlib.Path(folder) / "openmetrics.txt"))
            rounded = read_by(python, READER, render(tune, result, "gitlab-metrics", pathlib.Path(folder) / "metrics.txt"))
            rate = rate_of(exact, {"setting": "baseline", "window": window})
            if not document["gate"]:
                expect(rate == document["cells"][0]["throughput"]["value"], f"{result.name}: {rate}")
            expect(abs(rate_of(rounded, {"setting": "baseline"}) / rate - 1) < 0.01, f"{result.name}: rounded too much")
            print(f"{result.name}: {len(exact)} samples, {len(rounded)} for GitLab")


if __name__ == "__main__":
    main()
