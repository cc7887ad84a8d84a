"""Updates its parameters itself."""
import torch
from common import data, net, say
from torch import nn

model = net()
for epoch in range(1000):
    loader = torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True)
    for number, (x, y) in enumerate(loader):
        nn.functional.cross_entropy(model(x), y).backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= 0.01 * parameter.grad
                parameter.grad = None
        say(number)
