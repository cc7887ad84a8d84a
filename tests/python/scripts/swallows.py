"""Catches every exception and ignores SIGTERM, with a worker process."""
import signal

import torch
from common import data, net, step

if __name__ == "__main__":
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        try:
            for x, y in torch.utils.data.DataLoader(data(), batch_size=16, num_workers=1):
                try:
                    step(model, optimizer, x, y)
                except BaseException as problem:
                    print("swallowed", problem)
        except BaseException as problem:
            print("swallowed", problem)
        finally:
            print("epoch", flush=True)
