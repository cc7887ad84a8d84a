"""Records steps with torch.profiler, once early on; `late`: only after many."""
import sys

import torch
from common import data, net, step

model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
recorded = []
begin = 70 if "late" in sys.argv else 0
number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data(), batch_size=16):
        if number == begin:
            profiler = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU])
            profiler.start()
            print("its own runs", flush=True)
        step(model, optimizer, x, y)
        number += 1
        if number == begin + 3:
            profiler.stop()
            print("recorded", len(profiler.events()) > 0, flush=True)
