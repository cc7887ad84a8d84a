"""Trains in a spawned process, which gets its loaders from the one that made them."""
import multiprocessing

import torch
from common import data, net, say, step


def train(loader, validation):
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(1000):
        for number, (x, y) in enumerate(loader):
            step(model, optimizer, x, y)
            say(number)
        with torch.no_grad():
            for x, y in validation:
                model(x)


if __name__ == "__main__":
    loaders = (torch.utils.data.DataLoader(data(320), batch_size=16, shuffle=True),
               torch.utils.data.DataLoader(data(64), batch_size=32))
    process = multiprocessing.get_context("spawn").Process(target=train, args=loaders)
    process.start()
    process.join()
    raise SystemExit(process.exitcode)
