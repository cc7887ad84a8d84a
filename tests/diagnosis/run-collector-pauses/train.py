"""Millions of Python objects, which the garbage collector walks over and over again."""
import torch
from torch import nn

torch.manual_seed(0)
index = [{"name": "image%d" % number, "box": [number, 0, 1, 1]} for number in range(400000)]
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
history = []
for epoch in range(100000):
    x, y = torch.randn(64, 64), torch.randint(0, 10, (64,))
    boxes = [{"box": [n, n, n, n], "tags": [n]} for n in range(500)]
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    history.append([{"loss": loss.item(), "n": [n]} for n in range(100)])
    if len(history) > 2000:
        history.clear()
