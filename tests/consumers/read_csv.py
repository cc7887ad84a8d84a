#!/usr/bin/env python3
"""`--format csv` read by Python's csv module in strict mode: every metric of every result is included."""

import csv
import json
import pathlib
import tempfile

from consumer import RESULTS, expect, render, tune_of


def main():
    tune = tune_of(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for result in RESULTS:
            file = render(tune, result, "csv", pathlib.Path(folder) / "result.csv")
            with open(file, newline="", encoding="utf-8") as text:
                rows = list(csv.DictReader(text, strict=True))
            expect(rows and None not in rows[0] and None not in rows[-1].values(), f"{result.name}: rows of other lengths")
            document = json.loads(result.read_text())
            found = {(row["cell"], row["metric"], row["window"]): row["value"] for row in rows if row["kind"] == "cell"}
            for metric in document["metrics"]:
                value = found[(metric["cell"] or "", metric["id"], metric["window"])]
                expect(float(value or "nan") == metric["value"] or metric["value"] is None, f"{result.name}: {metric['id']}")
            print(f"{result.name}: {len(rows)} rows, {len(document['metrics'])} metrics")


if __name__ == "__main__":
    main()
