"""Compares tune's loader with Python's DataLoader on the same files and the same crops.

Needs torch 2.11.0, torchvision 0.26.0 and pillow in the interpreter that runs it; README.md says how.
"""

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import time


def read_crops(path):
    with open(path) as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return [(row[0], *(int(number) for number in row[1:])) for row in rows]


def make_dataset(mode, size, crops):
    import torch
    from torch.utils.data import Dataset

    if mode == "torchvision":
        from torchvision.io import ImageReadMode, decode_jpeg, read_file
        from torchvision.transforms.v2 import functional as transform

        def load(path, x, y, width, height, flipped):
            image = decode_jpeg(read_file(path), mode=ImageReadMode.RGB)
            image = transform.resized_crop(image, y, x, height, width, [size, size], antialias=True)
            return transform.horizontal_flip(image) if flipped else image

    else:
        from PIL import Image
        from torchvision.transforms import functional as transform

        mean, deviation = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)

        def load(path, x, y, width, height, flipped):
            with Image.open(path) as file:
                image = file.convert("RGB")
            image = transform.resized_crop(image, y, x, height, width, [size, size])
            image = transform.hflip(image) if flipped else image
            return transform.normalize(transform.to_tensor(image), mean, deviation)

    class Crops(Dataset):
        def __len__(self):
            return len(crops)

        def __getitem__(self, index):
            return load(*crops[index]), index % 1000

    return Crops()


def cpu_seconds(processes):
    """Of this process and its workers, which are not reaped while the loader lives."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = used.ru_utime + used.ru_stime
    for process in processes:
        with open(f"/proc/{process.pid}/stat") as line:
            fields = line.read().rsplit(")", 1)[1].split()
        seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # user, system
    return seconds


def measure(args):
    import torch
    from torch.utils.data import DataLoader

    torch.set_num_threads(1)  # the consumer does nothing; with 0 workers it is the worker
    loader = DataLoader(
        make_dataset(args.mode, args.size, read_crops(args.crops)),
        batch_size=args.batch,
        num_workers=args.workers,
        drop_last=True,
    )
    made = time.monotonic()
    batches = iter(loader)
    next(batches)
    first = time.monotonic() - made
    for _ in range(4):  # as many as the loader was ahead
        next(batches)
    workers = getattr(batches, "_workers", [])
    cpu, start, images = cpu_seconds(workers), time.monotonic(), 0
    while images < args.images:
        images += len(next(batches)[1])
    wall, cpu = time.monotonic() - start, cpu_seconds(workers) - cpu
    print(
        f"python {args.mode} workers={args.workers} batch={args.batch} size={args.size}: "
        f"{images / wall:.0f} images/s, {cpu / images * 1e6:.0f} CPU us/image, "
        f"first batch {first * 1e3:.0f} ms"
    )


def check(args):
    """How far the pixels of the first batch, as loader_bench --dump wrote it, are from Python's."""
    import torch

    dataset = make_dataset("torchvision", args.size, read_crops(args.crops))
    expected = torch.stack([dataset[i][0] for i in range(args.batch)]).permute(0, 2, 3, 1)
    with open(args.dump, "rb") as file:
        found = torch.frombuffer(bytearray(file.read()), dtype=torch.uint8).view(expected.shape)
    difference = (found.int() - expected.int()).abs()
    equal = (difference == 0).float().mean().item()
    print(f"first batch: {equal:.2%} of the bytes equal, largest difference {difference.max()}")


def figures(command):
    line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    print(line, flush=True)
    found = re.search(r"([\d.]+) images/s, ([\d.]+) CPU us/image", line)
    return float(found.group(1)), float(found.group(2))


def compare(args):
    shape = ["--batch", str(args.batch), "--size", str(args.size)]
    bench = [args.bench, args.data, *shape]
    python = [sys.executable, __file__, "measure", "--crops", args.crops, *shape]
    crops = str(args.images + 6 * args.batch)  # those before the measured window as well
    subprocess.run([*bench, "--images", crops, "--crops", args.crops], check=True)
    subprocess.run([*bench, "--decode", "full", "--dump", args.dump], check=True)
    check(args)
    ring = [*bench, "--images", str(args.images), "--workers"]
    stock = [*python, "--images", str(args.images), "--workers"]
    sides = {
        "ring, roi": [*ring, str(args.workers)],
        "ring, roi, 1 worker": [*ring, "1"],
        "ring, full": [*ring, str(args.workers), "--decode", "full"],
        "libtorch, full": [*ring, str(args.workers), "--decode", "full", "--loader", "libtorch"],
        "python, torchvision uint8": [*stock, str(args.workers)],
        "python, PIL float": [*stock, str(args.workers), "--mode", "pil"],
    }
    runs = {name: [] for name in sides}
    for _ in range(args.runs):
        for name, command in sides.items():
            runs[name].append(figures(command))
    print(f"\nmedians of {args.runs} interleaved runs, {args.workers} workers")
    median = {
        name: tuple(statistics.median(column) for column in zip(*results))
        for name, results in runs.items()
    }
    for name, (rate, cpu) in median.items():
        print(f"{name:28} {rate:7.0f} images/s {cpu:7.0f} CPU us/image")
    rate, cpu = median["ring, roi"]
    rate_stock, cpu_stock = median["python, torchvision uint8"]
    bound = args.workers / median["ring, roi, 1 worker"][1] * 1e6
    print(f"ring / stock Python: {rate / rate_stock:.2f} by wall clock, "
          f"{cpu_stock / cpu:.2f} by CPU time per image")
    print(f"ring / bound of {args.workers} cores at one worker's CPU time per image "
          f"({bound:.0f} images/s): {rate / bound:.1%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("job", choices=["compare", "measure", "check"])
    parser.add_argument("--data", help="folder with one sub-folder of JPEGs per class")
    parser.add_argument("--bench", help="the program loader_bench")
    parser.add_argument("--crops", required=True, help="file of crops; compare writes it")
    parser.add_argument("--dump", default="", help="first batch's bytes; compare writes it")
    parser.add_argument("--mode", choices=["torchvision", "pil"], default="torchvision")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--images", type=int, default=4000)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    args.dump = args.dump or args.crops + ".batch"
    {"compare": compare, "measure": measure, "check": check}[args.job](args)


if __name__ == "__main__":
    main()
