#!/usr/bin/env python3
"""`--format sarif` read by sarif-tools: results with severity, file and line; a gate that regressed is an error."""

import json
import pathlib
import tempfile

from consumer import RESULTS, expect, python_of, read_by, render, tune_of

# Without the packages that only its charts and Word documents need.
PACKAGES = ["sarif-tools==3.0.5", "--no-deps", "jsonpath-ng==1.6.1", "ply==3.11", "pyyaml==6.0.2", "jinja2==3.1.6", "markupsafe==3.0.2"]

READER = """
import json, sys
from sarif import loader

log = loader.load_sarif_file(sys.argv[1])
print(json.dumps([[record["Code"], record["Severity"], record["Location"], int(record["Line"])] for record in log.get_records()]))
"""


def main():
    tune = tune_of(__doc__)
    python = python_of("sarif", PACKAGES, "from sarif import loader")
    with tempfile.TemporaryDirectory() as folder:
        for result in RESULTS:
            document = json.loads(result.read_text())
            found = read_by(python, READER, render(tune, result, "sarif", pathlib.Path(folder) / "result.sarif"))
            lines = document["scenario"]["text"].count("\n") + 1
            for code, severity, location, line in found:
                expect(location.endswith(document["scenario"]["file"]), f"{result.name}: {location}")
                expect(1 <= line <= lines, f"{result.name}: line {line}")
            if document["gate"]:
                errors = [code for code, severity, location, line in found if severity == "error"]
                expect(errors == ["gate/epoch_time"], f"{result.name}: {errors}")
            else:
                expect(any(code == "cell/crashed" for code, *_ in found), f"{result.name}: {found}")
            print(f"{result.name}: {len(found)} results")


if __name__ == "__main__":
    main()
