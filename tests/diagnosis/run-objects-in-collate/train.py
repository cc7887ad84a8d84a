"""Objects made in collate_fn: pytorch/pytorch#123439."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Item:
    def __init__(self, number):
        self.id, self.name, self.box = number, "item%d" % number, [float(number)] * 16
        self.meta = {"k%d" % k: (k, number) for k in range(16)}


class Samples(Dataset):
    def __len__(self):
        return 12800

    def __getitem__(self, index):
        return torch.full((32,), float(index)), index % 10


def collate(samples):
    x = torch.stack([x for x, _ in samples])
    y = torch.tensor([y for _, y in samples])
    return x, y, [Item(number) for number in range(4 * len(samples))]


model = nn.Linear(32, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = DataLoader(Samples(), batch_size=128, collate_fn=collate)
for epoch in range(1000):
    for x, y, items in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
