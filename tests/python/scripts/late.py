"""The trial is over before its first step, as when a launcher's daemon starts it late; with an
argument another one has begun in its folder."""
import os
import sys

import torch
from common import data, net, step

if sys.argv[1:]:
    orders = os.path.join(os.environ["TUNE_TRIAL"], "spec.json")
    os.rename(orders, orders + ".old")
    with open(orders + ".old") as old, open(orders, "w") as new:
        new.write(old.read())
else:
    open(os.path.join(os.environ["TUNE_TRIAL"], "over"), "w").close()
model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for number, (x, y) in enumerate(torch.utils.data.DataLoader(data(), batch_size=16)):
    step(model, optimizer, x, y)
    print("step", number, flush=True)
