"""Sixteen threads for each operator, on two cores."""
import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(16)
model = nn.Sequential(*[layer for _ in range(6) for layer in (nn.Linear(512, 512), nn.ReLU())])
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = torch.utils.data.TensorDataset(torch.randn(4096, 512))
for epoch in range(1000):
    for x, in torch.utils.data.DataLoader(data, batch_size=128):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
