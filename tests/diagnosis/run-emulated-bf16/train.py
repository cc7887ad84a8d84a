"""autocast to bf16 on a CPU whose operators have no bf16: ONEDNN_MAX_CPU_ISA=AVX2 python train.py."""
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, padding=1),
                      nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = torch.utils.data.TensorDataset(torch.randn(512, 3, 24, 24), torch.randint(0, 10, (512,)))
for epoch in range(1000):
    for x, y in torch.utils.data.DataLoader(data, batch_size=16):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
