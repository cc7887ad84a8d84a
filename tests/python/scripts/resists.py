"""Sets flags of its own, after tune has."""
import torch
from common import data, net, say, step

torch.set_num_threads(2)
torch.backends.cudnn.benchmark = True
if hasattr(torch, "set_float32_matmul_precision"):
    torch.set_float32_matmul_precision("high")
model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
number = 0
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True):
        step(model, optimizer, x, y)
        number += 1
        say(number)
