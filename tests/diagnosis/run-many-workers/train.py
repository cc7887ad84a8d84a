"""Sixteen workers on two cores."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    """Images that are rotated, which takes about a millisecond of a core each."""

    def __len__(self):
        return 2000

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        image = torch.randint(0, 256, (3, 64, 64), generator=generator, dtype=torch.uint8).float()
        turned = nn.functional.interpolate(image[None], size=96, mode="bicubic", antialias=True)[0]
        return turned[:, 16:80, 16:80] / 255, index % 10


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 16, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                          nn.Linear(16, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(1000):
        for x, y in DataLoader(Images(), batch_size=32, shuffle=True, num_workers=16):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
