"""Changes the folder, closes descriptors, and ends by os._exit after 30 steps."""
import os
import tempfile

import torch
from common import data, net, step

os.chdir(tempfile.mkdtemp())
os.closerange(3, 64)
model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
number = 0
while True:
    for x, y in torch.utils.data.DataLoader(data(), batch_size=16):
        step(model, optimizer, x, y)
        number += 1
        if number == 30:
            os._exit(3)
