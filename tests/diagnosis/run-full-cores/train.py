"""Large images unpacked by two workers on two cores; too many of them to keep in memory."""
import zlib

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Packed(Dataset):
    def __init__(self):
        generator = torch.Generator().manual_seed(0)
        row = torch.randint(0, 60, (224 * 224 * 3,), generator=generator, dtype=torch.uint8)
        self.packed = zlib.compress(bytes(row.tolist()) * 4, 6)

    def __len__(self):
        return 4000000

    def __getitem__(self, index):
        image = torch.frombuffer(bytearray(zlib.decompress(self.packed)), dtype=torch.uint8)
        return image[: 224 * 224 * 3].view(3, 224, 224)[:, ::4, ::4].float() / 255, index % 10


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                          nn.Linear(8, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(1000):
        for x, y in DataLoader(Packed(), batch_size=32, shuffle=True, num_workers=2):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
