#!/usr/bin/env python3
"""provoked_table.py SCENARIOS FOLDER: what the runs of provoked.sh recommended, as Markdown tables. Ends with 1 where a run is not
as expected.

The first lines of a scenario give the expected outcome:
  # expect: ids of rules of which one has to be recommended first, or none
  # fires: ids of rules that have to fire though they recommend nothing
  # family: groups of rules that may be of high severity there, and what those that fired explain
  # change: what repairs it, for people
"""

import json
import pathlib
import statistics
import sys


def expectations(file):
    found = {}
    for line in file.read_text().splitlines():
        if line.startswith("# ") and ": " in line:
            key, value = line[2:].split(": ", 1)
            found[key] = value.split() if key != "change" else value
    return found


def percent(value):
    return "–" if value is None else f"{100 * value:+.1f} %"


def gain_range(gain):
    if not gain or gain.get("upper") is None:
        return "unknown"
    if gain["lower"] == gain["upper"]:
        return percent(gain["upper"])
    return f"{percent(gain['lower'])} to {percent(gain['upper'])}"


def is_prediction(gain):
    return bool(gain) and gain.get("upper") is not None and gain.get("model") not in ("measured", "none")


def promised(recommendation):
    """The largest claim of a recommendation: the measured gain if there is one, else the upper end of its range."""
    measured, predicted = recommendation.get("measured"), recommendation.get("predicted") or {}
    return measured["value"] if measured else predicted.get("upper")


def main():
    scenarios, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows, tuned, errors, right_count, confirmed = [], [], [], 0, 0
    runs = [line.split("\t") for line in (folder / "runs.tsv").read_text().splitlines()]
    for scenario, name, code, seconds in runs:
        wanted = expectations(scenarios / f"{scenario}.yaml")
        try:
            result = json.loads((folder / name / "result.json").read_text())
            findings, recommendations = result["findings"], result["recommendations"]
        except (OSError, ValueError, KeyError) as problem:
            rows.append([name, "no result", " ".join(wanted["expect"]), "**no**", "", "", "", "", "", f"exit {code}: {problem}"[:80], seconds])
            continue
        fired = {f["rule"] for f in findings if f["state"] == "fired"}
        wrong = [f"{f['rule']} ({f['severity']})" for f in findings
                 if f["state"] == "fired" and f["severity"] == "high" and f["group"] not in wanted["family"]
                 and not f["explained_by"]]
        first = recommendations[0] if recommendations else None
        above = [r["rule"] for r in recommendations if (promised(r) or 0) > 0.03]
        if wanted["expect"] == ["none"]:
            is_right = not above if scenario == "tuned" else not wrong
        else:
            is_right = first is not None and first["rule"] in wanted["expect"] and not wrong
        is_right = is_right and set(wanted.get("fires", [])) <= fired
        if scenario == "tuned":
            tuned.append(not above)
        error = ""
        for recommendation in recommendations:
            measured, predicted = recommendation.get("measured"), recommendation.get("predicted")
            if measured and is_prediction(predicted):
                difference = (predicted["lower"] + predicted["upper"]) / 2 - measured["value"]
                errors.append(abs(difference))
                error = f"{100 * difference:+.1f}" if recommendation is first else error
        right_count += is_right
        confirmed += bool(first) and first.get("verdict") == "CONFIRMED"
        measured = first.get("measured") if first else None
        rows.append([
            name,
            first["rule"] if first else "none",
            " ".join(wanted["expect"]) + (f" (fires: {' '.join(wanted['fires'])})" if "fires" in wanted else ""),
            "yes" if is_right else "**no**",
            gain_range(first["predicted"]) + ("" if is_prediction(first["predicted"]) else " (no prediction)") if first else "–",
            f"{percent(measured['value'])} [{percent(measured['lower'])}, {percent(measured['upper'])}]" if measured else "not measured" if first else "–",
            error,
            (first.get("verdict") or "–") if first else "–",
            wanted.get("change", ""),
            ", ".join(wrong) or "none",
            seconds,
        ])
    heading = ["run", "first recommendation", "expected", "right", "predicted", "measured", "error, points", "verdict", "repair",
               "wrong family above medium", "s"]
    print("| " + " | ".join(heading) + " |")
    print("|" + "---|" * len(heading))
    for row in rows:
        print("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |")
    print(f"\n{right_count} of {len(rows)} runs as expected; {confirmed} first recommendations CONFIRMED")
    if errors:
        print(f"{len(errors)} predictions measured: median error {100 * statistics.median(errors):.1f} points (aim: at most 15)")
    if tuned:
        print(f"tuned: no recommendation above 3 % in {sum(tuned)} of {len(tuned)} runs (aim: 9 of 10)")
    return 0 if right_count == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
