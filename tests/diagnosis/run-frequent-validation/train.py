"""A validation after every 20 steps, with gradients, as long as the steps between."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def accuracy(model, loader):
    right = 0
    for x, y in loader:
        right += int((model(x).argmax(1) == y).sum())
    return right / len(loader.dataset)


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    x, y = torch.randn(16384, 256), torch.randint(0, 10, (16384,))
    train = DataLoader(TensorDataset(x[:12288], y[:12288]), batch_size=128, shuffle=True)
    valid = DataLoader(TensorDataset(x[12288:], y[12288:]), batch_size=128)
    model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(10000):
        for step, (a, b) in enumerate(train):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(a), b).backward()
            optimizer.step()
            if step % 20 == 19:
                print(f"epoch {epoch} accuracy {accuracy(model, valid):.4f}", flush=True)


if __name__ == "__main__":
    main()
