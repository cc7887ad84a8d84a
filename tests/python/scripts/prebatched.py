"""A dataset that makes the batches itself, of sizes that nobody knows before."""
import torch
from common import net, say, step


class Batches(torch.utils.data.IterableDataset):
    def __iter__(self):
        for i in range(100000):
            rows = 20 + i % 2 * 8
            yield torch.randn(rows, 32), torch.zeros(rows, dtype=torch.long)


model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for number, (x, y) in enumerate(torch.utils.data.DataLoader(Batches(), batch_size=None)):
    step(model, optimizer, x, y)
    say(number)
