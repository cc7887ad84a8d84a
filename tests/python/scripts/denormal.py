"""Most of its parameters are denormal numbers."""
import torch
from common import data, net, say, step

model = net()
with torch.no_grad():
    model[0].weight.fill_(1e-39)
optimizer = torch.optim.SGD(model.parameters(), lr=0)
number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True):
        step(model, optimizer, x, y)
        number += 1
        say(number)
