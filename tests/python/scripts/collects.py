"""Collects garbage in each step, with many objects to search."""
import gc

import torch
from common import data, net, say, step

model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
kept = [[number] for number in range(200_000)]
number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True):
        step(model, optimizer, x, y)
        gc.collect()
        number += 1
        say(number)
