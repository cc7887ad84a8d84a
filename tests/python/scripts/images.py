"""A small convolutional network on images in memory, with options."""
import argparse

import torch
from common import say
from torch import nn


class Images(torch.utils.data.Dataset):
    def __init__(self, samples):
        generator = torch.Generator().manual_seed(0)
        self.pixels = torch.randn(samples, 3, 16, 16, generator=generator)

    def __len__(self):
        return len(self.pixels)

    def __getitem__(self, index):
        return self.pixels[index], index % 4


parser = argparse.ArgumentParser()
parser.add_argument("-j", "--workers", type=int, default=0)
parser.add_argument("-b", "--batch-size", type=int, default=8)
options = parser.parse_args()
if __name__ == "__main__":
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 14 * 14, 4))
    optimizer = torch.optim.AdamW(model.parameters())
    number = 0
    for epoch in range(1000):
        loader = torch.utils.data.DataLoader(Images(200), batch_size=options.batch_size,
                                             num_workers=options.workers)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            say(number)
            number += 1
