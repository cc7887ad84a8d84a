"""Whether the rate that tune measures of a script is that of the script's own lines, and of a clock
outside of it.

    script_rates.py TUNE PYTHON [--slices 8] [--only small,pictures,workers]

TUNE is the program, PYTHON one with torch. Each script writes the moment and its count of samples
into a file every few steps, which this program reads as it grows, by its own clock. All three rates
are of the same time: from the first slice of the trial to its last. Aim: within 2 %. Ends with 1
where a script is not.
"""
import argparse
import bisect
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

MOST_RATIO = 0.02

SCRIPT = """
import time, torch
from torch import nn
torch.manual_seed(0)
torch.set_num_threads(1)
images = torch.randn(2000, *{shape})
data = torch.utils.data.TensorDataset(images, torch.randint(0, 4, (2000,)))
model = {model}
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
out, samples, steps = open("own.txt", "w"), 0, 0
while True:
    for x, y in torch.utils.data.DataLoader(data, batch_size={batch}, shuffle=True,
                                            num_workers={workers}):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        samples, steps = samples + len(x), steps + 1
        if steps % {every} == 0:
            print(time.monotonic_ns(), samples, file=out, flush=True)
"""
ROWS = "nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 4))"
CONVOLUTIONS = ("nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.ReLU(), "
                "nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(512, 4))")
CASES = {"small": {"shape": (64,), "model": ROWS, "batch": 32, "workers": 0, "every": 40},
         "pictures": {"shape": (3, 32, 32), "model": CONVOLUTIONS, "batch": 32, "workers": 0,
                      "every": 2},
         "workers": {"shape": (3, 32, 32), "model": CONVOLUTIONS, "batch": 32, "workers": 1,
                     "every": 2}}
SCENARIO = """tune: 1
name: rates
workload: {{command: ["{python}", script.py], device: cpu, shield: [], observed: {{num_workers: {workers}}}}}
grid: {{num_workers: [{workers}]}}
measure: {{warmup: 2s, slices: {slices}, slice: 1s, rounds: 1}}
"""


class Watch(threading.Thread):
    """The lines of a file as they appear: moments of our clock, and samples."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.lines, self.is_over = path, [], False

    def run(self):
        seen = 0
        while not self.is_over:
            time.sleep(0.002)
            if not self.path.exists():
                continue
            lines = self.path.read_text().split("\n")[:-1]
            if len(lines) > seen:
                seen = len(lines)
                self.lines.append((time.monotonic_ns(), int(lines[-1].split()[1])))


def samples_at(lines, moment):
    """Between two lines the samples come evenly."""
    after = min(max(bisect.bisect(lines, (moment, 0)), 1), len(lines) - 1)
    (begin, first), (end, last) = lines[after - 1], lines[after]
    return first + (last - first) * (moment - begin) / (end - begin)


def rate(lines, begin, end):
    return (samples_at(lines, end) - samples_at(lines, begin)) / (end - begin) * 1e9


def measure(tune, python, case, slices):
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "script.py").write_text(SCRIPT.format(**case))
    (folder / "rates.yaml").write_text(SCENARIO.format(
        python=python, slices=slices, workers=case["workers"]))
    watch = Watch(folder / "own.txt")
    watch.start()
    subprocess.run([tune, "run", "rates.yaml", "-o", "run"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    watch.is_over = True
    watch.join()
    reply = max(folder.glob("run/trials/r*/reply.json"))
    found = json.loads(reply.read_text())["slices"]
    begin, end = found[0]["start_ns"], found[-1]["start_ns"] + found[-1]["wall_ns"]
    lines = (folder / "own.txt").read_text().split("\n")[:-1]
    own = [tuple(map(int, line.split())) for line in lines]
    agent = sum(s["samples"] for s in found) / sum(s["wall_ns"] for s in found) * 1e9
    return agent, rate(own, begin, end), rate(watch.lines, begin, end)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tune")
    parser.add_argument("python")
    parser.add_argument("--slices", type=int, default=8)
    parser.add_argument("--only", default=",".join(CASES))
    chosen = parser.parse_args()
    worst = 0
    for name in chosen.only.split(","):
        agent, own, outside = measure(chosen.tune, chosen.python, CASES[name], chosen.slices)
        worst = max(worst, abs(agent / own - 1), abs(agent / outside - 1))
        print(f"{name}: {agent:.1f} samples/s; by its own lines {own:.1f} ({agent / own - 1:+.2%}), "
              f"by a clock outside {outside:.1f} ({agent / outside - 1:+.2%})", flush=True)
    sys.exit(worst > MOST_RATIO)


main()
