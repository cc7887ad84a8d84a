"""The optimizer updates one flat copy of the parameters, as ZeRO does with each rank's share."""
import torch
from common import data, net, say
from torch import nn

model = net()
flat = nn.Parameter(torch.cat([p.detach().flatten() for p in model.parameters()]))
optimizer = torch.optim.SGD([flat], lr=0.01)
number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True):
        model.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        flat.grad = torch.cat([p.grad.flatten() for p in model.parameters()])
        optimizer.step()
        with torch.no_grad():
            for p, values in zip(model.parameters(), flat.split([p.numel() for p in model.parameters()])):
                p.copy_(values.view_as(p))
        number += 1
        say(number)
