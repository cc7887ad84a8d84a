"""Trains in another process: child.py fork | spawn | subprocess | exec."""
import multiprocessing
import os
import subprocess
import sys

import torch
from common import data, net, say, step

PLAIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plain.py")


def train():
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(1000):
        loader = torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True)
        for number, (x, y) in enumerate(loader):
            step(model, optimizer, x, y)
            say(number)


if __name__ == "__main__":
    if sys.argv[1] == "subprocess":
        sys.exit(subprocess.call([sys.executable, PLAIN]))
    if sys.argv[1] == "exec":
        os.execv(sys.executable, [sys.executable, PLAIN])
    process = multiprocessing.get_context(sys.argv[1]).Process(target=train)
    process.start()
    process.join()
