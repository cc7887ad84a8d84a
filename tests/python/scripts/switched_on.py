"""Switches on itself what tune may switch off: switched_on.py amp|fp16|scaler|half|layout|loaded|
batches|loader|optimizer|wrap|inplace|function|process|collector ..."""
import gc
import sys

import torch
from common import say
from torch import nn

has = sys.argv.__contains__
if has("process"):
    torch.backends.cudnn.benchmark = torch.backends.cudnn.deterministic = True
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.use_deterministic_algorithms(True)
    torch.set_flush_denormal(True)
    torch.set_num_threads(2)
    if hasattr(torch.backends.cuda, "enable_flash_sdp"):
        torch.backends.cuda.enable_flash_sdp(False)
    if hasattr(torch.nn, "attention"):
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            print("flash", torch.backends.cuda.flash_sdp_enabled())
if has("collector"):
    gc.disable()


class Images(torch.utils.data.Dataset):
    def __len__(self):
        return 200

    def __getitem__(self, index):
        image = torch.randn(3, 16, 16, generator=torch.Generator().manual_seed(index))
        return image, index % 4


def train(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cpu") if has("scaler") else None
    forward = torch.compile(model.forward, backend="aot_eager") if has("function") else model
    amp = torch.float16 if has("fp16") else torch.bfloat16
    number = 0
    for _ in range(1000):
        for x, y in loader:
            if has("layout"):
                x = x.contiguous(memory_format=torch.channels_last)
            if has("batches"):
                x = x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)
            model.zero_grad(set_to_none=False)
            with torch.autocast("cpu", amp, enabled=has("amp") or has("fp16")):
                x = x.bfloat16() if has("half") else x
                loss = nn.functional.cross_entropy(forward(x), y)
            if scaler is None:
                loss.backward()
                optimizer.step()
            else:
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
            say(number)
            number += 1


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 14 * 14, 4))
    if has("half"):
        model.to(torch.bfloat16)
    if has("layout"):
        model.to(memory_format=torch.channels_last)
    if has("loaded"):  # as a model comes from a file
        weight = model[0].weight.detach().permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)
        model[0].weight = nn.Parameter(weight)
    if has("wrap"):
        model = torch.compile(model, backend="aot_eager")
    if has("inplace"):
        model.compile(backend="aot_eager")
    forms = {"foreach": True} if has("optimizer") else {}
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3, **forms)
    more = {"num_workers": 1, "pin_memory": True, "persistent_workers": True,
            "multiprocessing_context": "spawn"} if has("loader") else {}
    train(model, optimizer, torch.utils.data.DataLoader(Images(), batch_size=8, **more))


if __name__ == "__main__":
    main()
