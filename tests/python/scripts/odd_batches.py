"""Batches of 8 samples in other forms than one tensor: lists as in torchvision's detection, or a class of the user's own."""
import dataclasses
import sys

import torch


@dataclasses.dataclass
class Batch:
    name: str
    x: torch.Tensor


class Images(torch.utils.data.Dataset):
    def __len__(self):
        return 4000

    def __getitem__(self, index):
        return torch.randn(3, 8), {"label": torch.tensor(index % 2)}


def collate(samples):
    images, targets = zip(*samples)
    return Batch("made here", torch.stack(images)) if sys.argv[1] == "class" else (images, targets)


model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
sampler = torch.utils.data.BatchSampler(torch.utils.data.SequentialSampler(Images()), 8, drop_last=True)
for epoch in range(20):
    for batch in torch.utils.data.DataLoader(Images(), batch_sampler=sampler, collate_fn=collate):
        x = batch.x if sys.argv[1] == "class" else torch.stack(batch[0])
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
print("trained")
