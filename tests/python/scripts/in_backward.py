"""An optimizer for each parameter, which makes its step within the backward pass."""
import torch
from common import data, net, say
from torch import nn

model = net()
optimizers = {p: torch.optim.SGD([p], lr=0.01) for p in model.parameters()}


def update(parameter):
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()


for parameter in model.parameters():
    parameter.register_post_accumulate_grad_hook(update)
for epoch in range(1000):
    loader = torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True)
    for number, (x, y) in enumerate(loader):
        nn.functional.cross_entropy(model(x), y).backward()
        say(number)
