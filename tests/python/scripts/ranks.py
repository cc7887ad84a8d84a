"""As in PyTorch's tutorial: ranks.py under torchrun, or `ranks.py spawn`, which starts two. With
`late`, rank 1 has slow data."""
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing
from common import data, net, step


class Late(torch.utils.data.Dataset):
    def __init__(self, inner):
        self.inner = inner

    def __len__(self):
        return len(self.inner)

    def __getitem__(self, index):
        time.sleep(0.001)
        return self.inner[index]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = torch.nn.parallel.DistributedDataParallel(net())
    samples = Late(data()) if rank == 1 and sys.argv[1:2] == ["late"] else data()
    sampler = torch.utils.data.DistributedSampler(samples)
    loader = torch.utils.data.DataLoader(samples, batch_size=32, sampler=sampler)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(1000):
        sampler.set_epoch(epoch)
        for number, (x, y) in enumerate(loader):
            step(model, optimizer, x, y)
            if rank == 0 and number % 10 == 0:
                print("step", number, flush=True)
    dist.destroy_process_group()


def worker(rank, world, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=port, RANK=str(rank),
                      WORLD_SIZE=str(world))
    main()


if __name__ == "__main__":
    if sys.argv[1:2] == ["spawn"]:
        torch.multiprocessing.spawn(worker, nprocs=2, args=(2, sys.argv[2]))
    else:
        main()
