"""What the agent adds to a training step: its hooks alternately on and off in one process.

    python_agent_cost.py [--width 64] [--layers 2] [--batch 32] [--pairs 800] [--block 10]
                         [--without-parts] [--model mlp|resnet18]

Runs under any Python with torch. Blocks of steps come in pairs of random order, so that only
neighbours are compared, and CPU time of the thread is taken, so that what else runs counts little;
on a busy machine the quietest blocks are more reliable than the median.
Aim: at most 10 us on a step of some 0.4 ms, where whatever runs between two steps is cold, and at
most 0.5 % of a step of a ResNet-18 (images of --width pixels).
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time

AGENT = pathlib.Path(__file__).resolve().parents[2] / "harness/worker/python"


def options():
    parser = argparse.ArgumentParser()
    for name, value in (("width", 64), ("layers", 2), ("batch", 32), ("pairs", 800), ("block", 10)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--model", choices=("mlp", "resnet18"), default="mlp")
    parser.add_argument("--without-parts", action="store_true", help="as tune does for short steps")
    return parser.parse_args()


def multilayer(torch, layers, width):
    inner = [part for _ in range(layers)
             for part in (torch.nn.Linear(width, width), torch.nn.ReLU())]
    return torch.nn.Sequential(*inner, torch.nn.Linear(width, 10))


def resnet18(torch):
    """He et al., arXiv:1512.03385: four stages of two basic blocks."""
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self, before, after, stride):
            super().__init__()
            self.way = nn.Sequential(nn.Conv2d(before, after, 3, stride, 1, bias=False),
                                     nn.BatchNorm2d(after), nn.ReLU(),
                                     nn.Conv2d(after, after, 3, 1, 1, bias=False),
                                     nn.BatchNorm2d(after))
            self.past = nn.Identity() if stride == 1 and before == after else nn.Sequential(
                nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

        def forward(self, x):
            return torch.relu(self.way(x) + self.past(x))

    blocks = [Block(*sizes) for stage in (64, 128, 256, 512) for sizes in
              ((max(64, stage // 2), stage, 1 if stage == 64 else 2), (stage, stage, 1))]
    return nn.Sequential(nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
                         nn.MaxPool2d(3, 2, 1), *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(512, 10))


class Hooks:
    """Everything that the agent has patched, to be removed and restored."""

    def __init__(self, torch):
        import torch.optim.optimizer as optimizers
        import torch.utils.data.dataloader as loaders

        self.places = [(loaders._BaseDataLoaderIter, "__next__"), (torch.autograd, "backward"),
                       (optimizers.Optimizer, "zero_grad"), (loaders.DataLoader, "__iter__")]
        self.global_hooks = [optimizers._global_optimizer_pre_hooks,
                             optimizers._global_optimizer_post_hooks]
        self.without = [owner.__dict__[name] for owner, name in self.places]
        self.calls = []

    def know(self, model):
        self.with_agent = [owner.__dict__[name] for owner, name in self.places]
        self.kept = [dict(hooks) for hooks in self.global_hooks]
        self.calls = [(m, m.__dict__["_compiled_call_impl"]) for m in model.modules()
                      if "_compiled_call_impl" in m.__dict__]
        assert self.calls, "the agent watches no model"
        assert self.with_agent[0] is not self.without[0], "the agent has patched nothing"

    def switch(self, on):
        for (owner, name), value in zip(self.places, self.with_agent if on else self.without):
            setattr(owner, name, value)
        for hooks, kept in zip(self.global_hooks, self.kept):
            hooks.clear()
            hooks.update(kept if on else {})
        for module, call in self.calls:
            if on:
                module.__dict__["_compiled_call_impl"] = call
            else:
                module.__dict__.pop("_compiled_call_impl", None)


def main():
    chosen = options()
    folder = tempfile.mkdtemp()
    pathlib.Path(folder, "spec.json").write_text(json.dumps(
        {"stacks_after": 0, "parts": not chosen.without_parts}))
    os.environ["TUNE_TRIAL"] = folder
    import torch

    hooks = Hooks(torch)
    sys.path.insert(0, str(AGENT))
    import tune_agent

    tune_agent.attach("benchmark")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    if chosen.model == "mlp":
        model = multilayer(torch, chosen.layers, chosen.width)
        samples = torch.randn(4000, chosen.width)
    else:
        model = resnet18(torch)
        samples = torch.randn(8 * chosen.batch, 3, chosen.width, chosen.width)
    data = torch.utils.data.TensorDataset(samples, torch.randint(0, 10, (len(samples),)))
    loss_of = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def batches():
        while True:
            yield from torch.utils.data.DataLoader(data, batch_size=chosen.batch, shuffle=True,
                                                   drop_last=True)

    batch = batches()

    def train(steps):
        for _ in range(steps):
            x, y = next(batch)
            optimizer.zero_grad()
            loss_of(model(x), y).backward()
            optimizer.step()

    train(100 if chosen.model == "mlp" else 5)
    from tune_agent import session

    assert session.claimed and not session.notes, session.notes
    hooks.know(model)
    differences, plain, with_hooks = [], [], []
    page = session.ring.page
    order = random.Random(0)
    for _ in range(chosen.pairs):
        times = {}
        page[2112:2120] = page[64:72]  # as if tune had taken the notes
        for on in order.sample([True, False], 2):
            hooks.switch(on)
            train(3)
            begin = time.thread_time_ns()
            train(chosen.block)
            times[on] = (time.thread_time_ns() - begin) / chosen.block / 1000
        differences.append(times[True] - times[False])
        plain.append(times[False])
        with_hooks.append(times[True])
    differences.sort()
    edge = max(1, int(chosen.pairs / 2 - 0.98 * chosen.pairs ** 0.5))
    middle, step = statistics.median(differences), statistics.median(plain)
    print("Python %s, torch %s: a step takes %.0f us, the hooks add %.1f us [%.1f, %.1f] = %.2f %% "
          "(95 %% interval of the median of %d pairs)" % (
              sys.version.split()[0], torch.__version__, step, middle, differences[edge],
              differences[-1 - edge], 100 * middle / step, chosen.pairs))
    quiet = [sorted(times)[chosen.pairs // 20] for times in (plain, with_hooks)]
    print("in the quietest twentieth of blocks a step takes %.0f us, with hooks %.1f us more" % (
        quiet[0], quiet[1] - quiet[0]), flush=True)
    os._exit(0)


main()
