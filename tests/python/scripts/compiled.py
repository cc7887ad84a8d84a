"""Compiles: compiled.py wrap | inplace | function."""
import sys

import torch
from common import data, net, say
from torch import nn

model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def loss_of(x, y):
    return nn.functional.cross_entropy(model(x), y)


if sys.argv[1] == "inplace":
    model.compile(backend="aot_eager")
elif sys.argv[1] == "wrap":
    model = torch.compile(model, backend="aot_eager")
else:
    loss_of = torch.compile(loss_of, backend="aot_eager", fullgraph=True)
for epoch in range(1000):
    loader = torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True, drop_last=True)
    for number, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss_of(x, y).backward()
        optimizer.step()
        say(number)
