"""Fails at its eighth step: fails.py data | memory."""
import sys

import torch
from common import data, net, step

model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for number, (x, y) in enumerate(torch.utils.data.DataLoader(data(), batch_size=16)):
    step(model, optimizer, x, y)
    if number == 7 and sys.argv[1] == "data":
        raise ValueError("the data are wrong")
    if number == 7:
        torch.empty(1 << 46)
