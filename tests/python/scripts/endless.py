"""A loader that makes one iterator for all epochs, as ultralytics' and timm's do."""
import torch
from common import data, net, say, step


class Repeat:
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        while True:
            yield from self.sampler


class Endless(torch.utils.data.DataLoader):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.batches = len(self.batch_sampler)
        object.__setattr__(self, "batch_sampler", Repeat(self.batch_sampler))
        self.iterator = None

    def __iter__(self):
        if self.iterator is None:
            self.iterator = self._get_iterator()
        for _ in range(self.batches):
            yield {"boxes": torch.zeros(3, 4), "image": next(self.iterator)}


model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = Endless(data(56), batch_size=16, shuffle=True)
number = 0
for epoch in range(100000):
    for batch in loader:
        step(model, optimizer, *batch["image"])
        number += 1
        say(number)
