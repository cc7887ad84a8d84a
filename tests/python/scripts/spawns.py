"""Loader workers are spawned: their semaphores have names, which begin with the argument. Python's
tracker, which unlinks them, has many others to unlink that do not exist. A file is there as LLVM's
OpenMP would make it."""
import multiprocessing
import multiprocessing.resource_tracker
import os
import sys

import torch
from common import data, net, say, step

if __name__ == "__main__":
    multiprocessing.current_process()._config["semprefix"] = sys.argv[1]
    registered = "/dev/shm/__KMP_REGISTERED_LIB_%d_%d" % (os.getpid(), os.getuid())
    open(registered, "w").close()
    print("registered", registered, flush=True)
    for number in range(4000):
        multiprocessing.resource_tracker.register("/none%d" % number, "semaphore")
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    number = 0
    while True:
        for x, y in torch.utils.data.DataLoader(data(), batch_size=16, num_workers=1,
                                                multiprocessing_context="spawn"):
            step(model, optimizer, x, y)
            number += 1
            say(number)
