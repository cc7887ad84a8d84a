"""MAML in the way of learn2learn, which copies a module's __dict__ and puts other parameters in it."""
import sys

import torch
from common import data, net, say
from torch import nn


def clone_of(module):
    clone = module.__new__(type(module))
    clone.__dict__ = module.__dict__.copy()
    clone._parameters = {k: v.clone() for k, v in module._parameters.items() if v is not None}
    clone._modules = {k: clone_of(v) for k, v in module._modules.items()}
    return clone


def adapt(module, gradients):
    for name in module._parameters:
        module._parameters[name] = module._parameters[name] - 0.1 * next(gradients)
    for child in module._modules.values():
        adapt(child, gradients)


model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data(), batch_size=16):
        learner = clone_of(model)
        loss = nn.functional.cross_entropy(learner(x), y)
        wanted = [p for child in learner._modules.values() for p in child._parameters.values()]
        adapt(learner, iter(torch.autograd.grad(loss, wanted, create_graph=True)))
        loss = nn.functional.cross_entropy(learner(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        number += 1
        say(number)
        if number in (1, 40):
            print("loss %d: %.6f" % (number, loss.item()), flush=True)
        if sys.argv[1:] == [str(number)]:
            sys.exit()
