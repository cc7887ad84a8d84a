"""LBFGS: several backward passes within one step."""
import torch
from common import data, net, say
from torch import nn

model = net()
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1, max_iter=20)
for epoch in range(1000):
    for number, (x, y) in enumerate(torch.utils.data.DataLoader(data(), batch_size=100)):
        def closure():
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            return loss

        optimizer.step(closure)
        say(number, 5)
