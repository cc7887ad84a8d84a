"""A loader made anew in each epoch, and work between the epochs."""
import time

from common import data, net, say, step
import torch

model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data(320), batch_size=16, shuffle=True):
        step(model, optimizer, x, y)
        say(number, every=20)  # the first step of each epoch
        number += 1
    time.sleep(0.005)
