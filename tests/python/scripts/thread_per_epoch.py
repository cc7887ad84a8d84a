"""Trains each epoch in a thread of its own."""
import threading

import torch
from common import data, net, say, step

model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
number = 0


def train():
    global number
    for x, y in torch.utils.data.DataLoader(data(320), batch_size=16, shuffle=True):
        step(model, optimizer, x, y)
        number += 1
        say(number)


other = None
for epoch in range(1000):
    thread = threading.Thread(target=train)
    thread.start()
    if other is not None:
        other.join()  # later, so that no two threads have one identity
    thread.join()
    other = threading.Thread(target=threading.Event().wait, args=(0.01,))
    other.start()
