"""Four batches for a step, the last of an epoch smaller."""
import torch
from common import data, net
from torch import nn

model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
steps = 0
for epoch in range(1000):
    loader = torch.utils.data.DataLoader(data(1000), batch_size=16, shuffle=True)
    for number, (x, y) in enumerate(loader):
        nn.functional.cross_entropy(model(x), y).backward()
        if number % 4 == 3 or number + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
            steps += 1
            print("step", steps, flush=True)
