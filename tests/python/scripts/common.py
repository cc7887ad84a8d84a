"""What the small scripts share: a network, its data, a step."""
import time

import torch
from torch import nn


def net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 4))


def data(samples=3200):
    generator = torch.Generator().manual_seed(0)
    return torch.utils.data.TensorDataset(torch.randn(samples, 32, generator=generator),
                                          torch.randint(0, 4, (samples,), generator=generator))


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


def say(number, every=10):
    """The script's own progress lines, by which tests count, with its own clock."""
    if number % every == 0:
        print("step", number, time.monotonic_ns(), flush=True)
