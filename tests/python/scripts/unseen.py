"""Updates parameters where no step of an optimizer is seen."""
import sys

import torch
from common import data, net, say, step
from torch import nn

how = sys.argv[1]
model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
parameters = list(model.parameters())


def update(gradients):
    with torch.no_grad():
        for parameter, gradient in zip(parameters, gradients):
            parameter -= 0.01 * gradient


if how == "compiled":
    @torch.compile(backend="eager")
    def finish():
        optimizer.step()
else:
    def finish():
        update([parameter.grad for parameter in parameters])


@torch.compile(backend="eager")
def whole(x, y):
    step(model, optimizer, x, y)


number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True):
        loss = nn.functional.cross_entropy(model(x), y) if how != "whole" else whole(x, y)
        if how == "gradients":
            update(torch.autograd.grad(loss, parameters))
        elif how == "given":
            for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
                parameter.grad = gradient
            optimizer.step()
        elif how != "whole":
            model.zero_grad()
            loss.backward()
            finish()
        number += 1
        say(number)
