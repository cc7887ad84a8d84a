"""Copies, saves and loads the whole model every tenth step."""
import copy

import torch
from common import data, net, step

model = net()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for epoch in range(1000):
    loader = torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True)
    for number, (x, y) in enumerate(loader):
        step(model, optimizer, x, y)
        if number % 10 == 0:
            averaged = copy.deepcopy(model)
            with torch.no_grad():
                averaged(x)
            torch.save(model, "whole.pt")
            if torch.__version__ >= "2":
                torch.load("whole.pt", weights_only=False)
            print("step", number, flush=True)
