"""Two networks with an optimizer each; the generator is asked without gradients first."""
import torch
from common import data, say
from torch import nn

generator, critic = nn.Linear(8, 32), nn.Linear(32, 1)
of_generator = torch.optim.Adam(generator.parameters())
of_critic = torch.optim.Adam(critic.parameters())
for epoch in range(1000):
    loader = torch.utils.data.DataLoader(data(), batch_size=16, shuffle=True)
    for number, (x, y) in enumerate(loader):
        with torch.no_grad():
            made = generator(torch.randn(len(x), 8))
        of_critic.zero_grad()
        (critic(made).mean() - critic(x).mean()).backward()
        of_critic.step()
        of_generator.zero_grad()
        (-critic(generator(torch.randn(len(x), 8))).mean()).backward()
        of_generator.step()
        say(number)
