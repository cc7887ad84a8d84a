#!/usr/bin/env python3
"""Optuna's TPE and random search on the tables that search_simulation --table reads.

Needs Optuna, in an environment of its own: python3 -m venv DIR && DIR/bin/pip install optuna

  search_optuna.py run TABLE... [--seeds 200] [--noise 0]   trials until 95 % of the best rate
  search_optuna.py table RESULT.json                        a table from the result of `tune run`

A table is comma-separated: "#" begins a comment, one line of names, the baseline first, the rate
in the last column.
"""

import argparse
import json
import math
import pathlib
import random
import statistics
import sys

GOOD = 0.95


def read_table(path):
    rows = [line.split(",") for line in pathlib.Path(path).read_text().splitlines()
            if line and not line.startswith("#")]
    names, rows = rows[0][:-1], rows[1:]
    axes = []
    for column, name in enumerate(names):
        values = list(dict.fromkeys(row[column] for row in rows))
        try:
            axes.append((name, sorted(values, key=float), True))
        except ValueError:
            axes.append((name, values, False))
    rates = {tuple(row[:-1]): float(row[-1]) for row in rows}
    return axes, rates, tuple(rows[0][:-1])


def trials_to_reach(cells, rates):
    """The number of trials until one ran a cell within 5 % of the best, and the number of repeats."""
    best = max(rates.values())
    seen = set()
    repeats = 0
    for count, cell in enumerate(cells, 1):
        repeats += cell in seen
        seen.add(cell)
        if rates[cell] >= GOOD * best:
            return count, repeats
    raise AssertionError("the cells ran out")


def random_cells(axes, rates, baseline, seed, noise):
    others = [cell for cell in rates if cell != baseline]
    random.Random(seed).shuffle(others)
    return [baseline] + others


def tpe_cells(axes, rates, baseline, seed, noise):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    source = random.Random(seed)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    study.enqueue_trial({name: values.index(level) if numeric else level
                         for (name, values, numeric), level in zip(axes, baseline)})
    while True:
        trial = study.ask()
        cell = []
        for name, values, numeric in axes:
            # Ordered levels as whole numbers, so that TPE knows which ones are neighbours.
            cell.append(values[trial.suggest_int(name, 0, len(values) - 1)] if numeric
                        else trial.suggest_categorical(name, values))
        cell = tuple(cell)
        if cell not in rates:  # forbidden: not a trial
            study.tell(trial, state=optuna.trial.TrialState.PRUNED)
            continue
        study.tell(trial, math.log(rates[cell]) + source.gauss(0, noise))
        yield cell


def run(arguments):
    for path in arguments.tables:
        axes, rates, baseline = read_table(path)
        for name, search in (("TPE", tpe_cells), ("random", random_cells)):
            counts, repeats = zip(*(
                trials_to_reach(search(axes, rates, baseline, seed, arguments.noise), rates)
                for seed in range(1, arguments.seeds + 1)))
            ordered = sorted(counts)
            print(f"{pathlib.Path(path).stem:24} {len(rates):3} cells  {name:6} "
                  f"median {statistics.median(counts):5.1f}  "
                  f"p90 {ordered[math.ceil(0.9 * len(ordered)) - 1]:3}  worst {ordered[-1]:3}  "
                  f"repeats {100 * sum(repeats) / sum(counts):4.1f} %", flush=True)


def table(arguments):
    """Rates: the baseline's median times the median gain in the same round."""
    result = json.loads(pathlib.Path(arguments.result).read_text())
    cells = [cell for cell in result["cells"] if cell["throughput"]]
    cells.sort(key=lambda cell: cell["id"])  # "baseline" is before "c01"
    baseline = cells[0]
    knobs = sorted({name for cell in cells for name in cell["changed"]})
    print(",".join(knobs + ["samples_per_s"]))
    for cell in cells:
        gain = cell["gain"]["value"] if cell["gain"] else 0
        levels = [str(cell["knobs"][name]).lower() for name in knobs]
        print(",".join(levels + [f"{baseline['throughput']['value'] * (1 + gain):.3f}"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    compare = commands.add_parser("run")
    compare.add_argument("tables", nargs="+")
    compare.add_argument("--seeds", type=int, default=200)
    compare.add_argument("--noise", type=float, default=0, help="sd of ln(rate)")
    compare.set_defaults(do=run)
    make = commands.add_parser("table")
    make.add_argument("result")
    make.set_defaults(do=table)
    arguments = parser.parse_args()
    arguments.do(arguments)


if __name__ == "__main__":
    sys.exit(main())
