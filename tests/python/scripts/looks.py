"""As evaluates.py, but its author forgot no_grad()."""
import time

import torch
from common import data, net, step

train, test = data(320), data(160)


def evaluate(model):
    model.eval()
    for x, y in torch.utils.data.DataLoader(test, batch_size=32):
        time.sleep(0.002)
        torch.nn.functional.cross_entropy(model(x), y).item()
    model.train()


model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(train, batch_size=16, shuffle=True):
        step(model, optimizer, x, y)
        number += 1
        if number % 20 == 10:
            evaluate(model)
