"""A cross-validation: each fold has a model, an optimizer and a list of data of its own."""
import gc
import sys
import weakref

import torch
from common import data, net, say, step

gc.disable()
has_loader = "loader" in sys.argv
number, before, samples = 0, None, None
for fold in range(1000):
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    if before is not None and before() is not None:
        print("the model of the fold before is kept")
    if samples is not None and samples() is not None:
        print("its data are kept")
    before = weakref.ref(model)
    x, y = data(160).tensors
    if has_loader:
        pairs = list(zip(x, y))
        samples = weakref.ref(pairs[0][0])
        batches = torch.utils.data.DataLoader(pairs, batch_size=8)
    else:
        batches = [(x[i:i + 8], y[i:i + 8]) for i in range(0, len(x), 8)]
    for inputs, labels in batches:
        step(model, optimizer, inputs, labels)
        number += 1
        say(number)
    x = y = pairs = inputs = labels = batches = None
