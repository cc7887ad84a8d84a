"""Loaders made anew over one dataset, each second one with a collate_fn of its own."""
import torch
from common import data, net, step


def stacked(samples):
    inputs, targets = zip(*samples)
    return torch.stack(inputs), torch.stack(targets)


model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
samples = data(64)
for epoch in range(1000):
    for collate in (None, stacked):
        for x, y in torch.utils.data.DataLoader(samples, batch_size=16, collate_fn=collate):
            step(model, optimizer, x, y)
