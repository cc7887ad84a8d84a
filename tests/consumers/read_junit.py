#!/usr/bin/env python3
"""`--format junit` read by junitparser: it counts as many cases, failures, errors and skips as the suite says."""

import json
import pathlib
import tempfile

from consumer import RESULTS, expect, python_of, read_by, render, tune_of

PACKAGES = ["junitparser==3.2.0"]

READER = """
import json, sys
from junitparser import Error, Failure, JUnitXml, Skipped

suites = list(JUnitXml.fromfile(sys.argv[1]))
cases = list(suites[0])
kinds = [type(outcome) for case in cases for outcome in case.result]
print(json.dumps({
    "suites": [suite.name for suite in suites],
    "said": [suites[0].tests, suites[0].failures, suites[0].errors, suites[0].skipped],
    "counted": [len(cases), kinds.count(Failure), kinds.count(Error), kinds.count(Skipped)],
    "unnamed": sum(not case.name or not case.classname for case in cases),
}))
"""


def main():
    tune = tune_of(__doc__)
    python = python_of("junit", PACKAGES, "from junitparser import JUnitXml")
    with tempfile.TemporaryDirectory() as folder:
        for result in RESULTS:
            file = render(tune, result, "junit", pathlib.Path(folder) / "junit.xml")
            found = read_by(python, READER, file)
            document = json.loads(result.read_text())
            gated = [row for row in (document["gate"] or {"rows": []})["rows"] if row["gated"]]
            expect(found["suites"] == [document["scenario"]["name"]], f"{result.name}: suites {found['suites']}")
            expect(found["said"] == found["counted"], f"{result.name}: {found}")
            expect(found["counted"][0] == (len(gated) or len(document["cells"])), f"{result.name}: {found}")
            expect(found["unnamed"] == 0, f"{result.name}: {found}")
            print(f"{result.name}: {found['counted'][0]} cases")


if __name__ == "__main__":
    main()
