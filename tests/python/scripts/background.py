"""Batches come through a thread that fetches ahead."""
import queue
import threading

import torch
from common import data, net, say, step


def ahead(loader):
    batches = queue.Queue(4)

    def fetch():
        for batch in loader:
            batches.put(batch)
        batches.put(None)

    threading.Thread(target=fetch, daemon=True).start()
    while True:
        batch = batches.get()
        if batch is None:
            return
        yield batch


model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(1000):
    loader = torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True)
    for number, (x, y) in enumerate(ahead(loader)):
        step(model, optimizer, x, y)
        say(number)
