"""A method of the model is called, not the model, as Lightning does; what it holds is called in it."""
import torch
from common import data, net, say
from torch import nn


class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = net()

    def training_step(self, x, y):
        return nn.functional.cross_entropy(self.net(x), y)


model = Module()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True):
        optimizer.zero_grad()
        model.training_step(x, y).backward()
        optimizer.step()
        number += 1
        say(number)
