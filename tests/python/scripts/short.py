"""Ends after four steps, long before any window."""
import torch
from common import data, net, step

model = net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in torch.utils.data.DataLoader(data(60), batch_size=16):
    step(model, optimizer, x, y)
torch.save(model.state_dict(), "short.pt")
print("trained")
