"""A framework's checkpoint is more than the tensors in it; a script's own may be another's function."""
import pathlib
import sys

import torch
from common import data, net, say, step

sys.path.insert(0, str(pathlib.Path(__file__).parent / "frameworks"))
from safetensors.torch import save_file  # noqa: E402
from transformers.trainer import Trainer  # noqa: E402

model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
number = 0
for epoch in range(100000):
    for x, y in torch.utils.data.DataLoader(data(160), batch_size=16):
        step(model, optimizer, x, y)
        number += 1
        say(number)
        if number % 10 == 3:
            Trainer()._save_checkpoint(model)
        if number % 10 == 6:
            save_file(model.state_dict(), "own.safetensors")
