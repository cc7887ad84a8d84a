"""60,000 small samples in memory, no workers: pytorch/pytorch#106704."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(60000, 100), torch.randint(0, 10, (60000,)))
model = nn.Sequential(nn.Linear(100, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(1000):
    for x, y in DataLoader(data, batch_size=64, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
