"""Whether a knob that the agent injects gives what the same change by hand gives.

    override_against_by_hand.py [--rounds 7] [--seconds 2] [--threads 1] [--only amp,workers]
                                [--cpu-time]

Runs under any Python with torch 2.0 or newer. Each case is a small script. In each round it runs as
it is, the same under the agent, with the knob injected by the agent, and as a copy with the change
written into it, in random order, each in a process of its own (forked where torch is imported and
nothing else) and timed by its own clock. The gain by injection is over the script under the agent,
as tune measures it; the gain by hand over the script alone. Aim, in every case: the intervals of
the gains overlap, and their medians are within 3 points; 6 rounds are needed for an interval of
95 %. Ends with 1 where that is not so. On a busy
machine --cpu-time counts the time of the training process instead, and leaves out what that does
not show: workers and threads.
"""
import argparse
import json
import os
import pathlib
import random
import runpy
import statistics
import sys
import tempfile
import traceback

AGENT = pathlib.Path(__file__).resolve().parents[2] / "harness/worker/python"
MOST_POINTS = 3
NOT_BY_CPU_TIME = ("workers", "threads")
SIDES = ("as it is", "under the agent", "injected", "by hand")
GAINS = (("injected", "under the agent"), ("by hand", "as it is"))  # over what

SCRIPT = """
import json, math, time
import torch
from torch import nn

class Slow(torch.utils.data.Dataset):
    def __init__(self, shape, rounds):
        self.pixels, self.rounds = torch.randn(400, *shape), rounds
    def __len__(self):
        return len(self.pixels)
    def __getitem__(self, index):
        sample = self.pixels[index]
        for _ in range(self.rounds):
            sample = sample.sin()
        return sample, index %% 4

def pictures():
    return torch.utils.data.TensorDataset(torch.randn(400, 3, 32, 32), torch.randint(0, 4, (400,)))

def rows(width):
    return torch.utils.data.TensorDataset(torch.randn(8000, width), torch.randint(0, 4, (8000,)))

def convolutions(width):
    return nn.Sequential(nn.Conv2d(3, width, 3), nn.ReLU(), nn.Conv2d(width, width, 3), nn.ReLU(),
                         nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(16 * width, 4))

def layers(count, width):
    inner = [part for _ in range(count) for part in (nn.Linear(width, width), nn.ReLU())]
    return nn.Sequential(*inner, nn.Linear(width, 4))

if __name__ == "__main__":
    torch.manual_seed(0)
    %(made)s
    loss_of = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    done = losses = 0
    begin = end = None
    while end is None:
        loader = torch.utils.data.DataLoader(data, batch_size=%(batch)d)
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_of(model(x), y)
            loss.backward()
            optimizer.step()
            done += 1
            losses += loss.item() if done <= 10 else 0
            now = time.%(clock)s()
            if done == 10:
                begin = now
            elif done > 10 and now - begin > %(seconds)g:
                end = now
                break
    print(json.dumps({"rate": (done - 10) / (end - begin), "losses": losses}))
"""


class Case:
    def __init__(self, name, made, knobs, edits, batch=32):
        self.name, self.made, self.knobs, self.edits, self.batch = name, made, knobs, edits, batch

    def text(self, chosen, is_edited):
        text = SCRIPT % {"made": self.made.replace("; ", "\n    "), "batch": self.batch,
                         "seconds": chosen.seconds,
                         "clock": "process_time" if chosen.cpu_time else "perf_counter"}
        for old, new in self.edits if is_edited else ():
            assert text.count(old) == 1, "%s: %r is there %d times" % (
                self.name, old, text.count(old))
            text = text.replace(old, new)
        return text


LOADER, CALL = "DataLoader(data, ", "loss_of(model(x), y)"
AUTOCAST = "loss = " + CALL, ("with torch.autocast('cpu', torch.bfloat16):\n"
                              "                loss = " + CALL)
CASES = [
    Case("amp", "model = layers(3, 1024); data = rows(1024)", {"amp": "bf16"}, [AUTOCAST], 64),
    Case("layout", "model = convolutions(16); data = pictures()", {"channels_last": True},
         [("model = convolutions(16)",
           "model = convolutions(16).to(memory_format=torch.channels_last)"),
          ("model(x)", "model(x.contiguous(memory_format=torch.channels_last))")]),
    Case("workers", "model = convolutions(16); data = Slow((3, 32, 32), 60)", {"num_workers": 1},
         [(LOADER, LOADER + "num_workers=1, ")]),
    Case("optimizer", "model = layers(60, 32); data = rows(32)", {"optimizer_impl": "foreach"},
         [("lr=1e-4", "lr=1e-4, foreach=True")]),
    Case("threads", "torch.set_num_threads(2); model = layers(2, 32); data = rows(32)",
         {"intra_op_threads": 1}, [("set_num_threads(2)", "set_num_threads(1)")]),
    Case("batch_fetch", "model = layers(1, 64); data = rows(64)", {"batch_fetch": True},
         [("def rows(", "class Rows(torch.utils.data.TensorDataset):\n"
           "    def __getitems__(self, indices):\n"
           "        return [tensor[indices] for tensor in self.tensors]\n\ndef rows("),
          ("return torch.utils.data.TensorDataset(torch.randn(8000",
           "return Rows(torch.randn(8000"),
          (LOADER, LOADER + "collate_fn=list, ")], 128),
    Case("preload", "model = layers(2, 64); data = Slow((64,), 20)", {"preload": True},
         [("data = Slow((64,), 20)", "data = list(map(Slow((64,), 20).__getitem__, range(400)))")]),
    Case("amp and layout", "model = convolutions(32); data = pictures()",
         {"amp": "bf16", "channels_last": True},
         [AUTOCAST,
          ("model = convolutions(32)",
           "model = convolutions(32).to(memory_format=torch.channels_last)"),
          ("model(x)", "model(x.contiguous(memory_format=torch.channels_last))")]),
]


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cpu-time", action="store_true")
    parser.add_argument("--only", help="names of cases, by commas")
    chosen = parser.parse_args()
    if chosen.only:
        unknown = set(chosen.only.split(",")) - {case.name for case in CASES}
        if unknown:
            parser.error("--only: no case %s (there are: %s)" % (
                ", ".join(sorted(unknown)), ", ".join(case.name for case in CASES)))
    return chosen


def run(case, side, chosen, place):
    """The numbers of one side, in a process of its own."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=place))
    (folder / "train.py").write_text(case.text(chosen, side == "by hand"))
    knobs = case.knobs if side == "injected" else {}
    (folder / "spec.json").write_text(json.dumps({"knobs": knobs, "stacks_after": 0}))
    process = os.fork()
    if process == 0:
        train(folder, side in GAINS[0])
    if os.waitpid(process, 0)[1]:
        sys.exit("%s, %s: it failed:\n%s" % (case.name, side, (folder / "printed").read_text()))
    if side == "injected":
        facts = json.loads((folder / "facts.0.json").read_text())
        if facts["applied"] != case.knobs:
            sys.exit("%s: in effect was %s; %s %s" % (case.name, facts["applied"],
                                                      facts["ignored"], facts["problems"]))
    return json.loads((folder / "printed").read_text().splitlines()[-1])


def train(folder, is_injected):
    """In a child, which ends here; the agent comes as early as it can, with the child."""
    status = 1
    try:
        with open(str(folder / "printed"), "w") as printed:
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
        if is_injected:
            os.environ["TUNE_TRIAL"] = str(folder)
            sys.path.insert(0, str(AGENT))
            import tune_agent

            tune_agent.attach("benchmark")
        runpy.run_path(str(folder / "train.py"), run_name="__main__")
        if is_injected:
            from tune_agent import ending

            ending.at_exit()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def interval(values):
    """Of the median, without an assumption about how they are spread, and its certainty."""
    values, count = sorted(values), len(values)
    tails, term, cut = 0.0, 0.5 ** count, 0
    while cut < count // 2 and 2 * (tails + term) <= 0.05:
        tails += term
        term *= (count - cut) / (cut + 1)
        cut += 1
    edge = max(0, cut - 1)
    return values[edge], values[count - 1 - edge], 1 - 2 * (tails or 0.5 ** count)


def percent(value):
    return "%+.1f %%" % (100 * value)


def main():
    chosen = options()
    os.environ["OMP_NUM_THREADS"] = str(chosen.threads)
    import torch

    cases = [c for c in CASES if not (chosen.cpu_time and c.name in NOT_BY_CPU_TIME)
             and (not chosen.only or c.name in chosen.only.split(","))]
    found = {case.name: {side: [] for side in SIDES} for case in cases}
    order = random.Random(0)
    with tempfile.TemporaryDirectory() as place:
        for number in range(chosen.rounds):
            for case in cases:
                for side in order.sample(SIDES, len(SIDES)):
                    found[case.name][side].append(run(case, side, chosen, place))
            print("round %d of %d" % (number + 1, chosen.rounds), file=sys.stderr, flush=True)
    print("| case | steps/s as it is | under the agent | injected | by hand | apart | losses of 10 "
          "steps |")
    print("|---|---|---|---|---|---|---|")
    failed = []
    for case in cases:
        sides = found[case.name]
        gains = [[one["rate"] / base["rate"] - 1 for one, base in zip(sides[side], sides[over])]
                 for side, over in GAINS]
        medians = [statistics.median(each) for each in gains]
        ends = [interval(each) for each in gains]
        points = 100 * (medians[0] - medians[1])
        overlap = ends[0][0] <= ends[1][1] and ends[1][0] <= ends[0][1]
        if not overlap or abs(points) > MOST_POINTS:
            failed.append(case.name)
        losses = [{one["losses"] for one in sides[side]} for side, _ in GAINS]
        apart = max(abs(a - b) / abs(b) for a in losses[0] for b in losses[1])
        print("| %s | %.1f | %.1f | %s | %s | %+.1f points%s | %s |" % (
            " ".join("%s=%s" % pair for pair in case.knobs.items()),
            *(statistics.median(one["rate"] for one in sides[side]) for side in SIDES[:2]),
            *("%s [%s, %s]" % (percent(m), percent(e[0]), percent(e[1]))
              for m, e in zip(medians, ends)),
            points, "" if overlap else ", no overlap",
            "equal" if apart == 0 else "within %.2g %%" % (100 * apart)))
    print("\nPython %s, torch %s, %d rounds in turn, %g s %sof steps each, %d thread(s); intervals "
          "of %.1f %% certainty" % (sys.version.split()[0], torch.__version__, chosen.rounds,
                                    chosen.seconds, "of CPU time " if chosen.cpu_time else "",
                                    chosen.threads, 100 * ends[0][2]))
    if failed:
        sys.exit("not within %d points, or without overlap: %s" % (MOST_POINTS, ", ".join(failed)))


main()
