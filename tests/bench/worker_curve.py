#!/usr/bin/env python3
"""worker_curve.py [--seconds 5] [--images DIR]: how far the predicted rates of loader workers are from measured ones.

For each data set and model it lets `tune init` look at a training (TUNE names the program) and reads the predictions, then trains
with 0, 1, 2 and 4 workers by itself and compares. Needs torch; `images` needs Pillow. Nothing else should run meanwhile.

    data set   a sample
    text       a piece of the sources of Python's own library, split into words: about 100 us of Python
    images     a JPEG of DIR, else one of 256 that are made, decoded and shrunk by Pillow
    small      100 numbers that lie in memory (TensorDataset)
    objects    small tensors; collate_fn makes Python objects
"""
import io
import multiprocessing
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import time

SETS = ("text", "images", "small", "objects")
MODELS = ("light", "heavy")
WORKERS = (0, 1, 2, 4)


# ---------------------------------------------------------------------------------- the training

def train(name, model, workers, seconds, images):
    import torch
    from torch.utils.data import DataLoader
    torch.manual_seed(0)
    torch.set_num_threads(1)  # threads that spin for one another would measure what else runs
    dataset, batch, collate = data(torch, name, images)
    loader = DataLoader(dataset, batch_size=batch, shuffle=True, num_workers=workers, collate_fn=collate,
                        persistent_workers=workers > 0, drop_last=True)
    wide = 16 if model == "light" else 1024
    example = next(iter(DataLoader(dataset, batch_size=2, collate_fn=collate)))[0]
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(example[0].numel(), wide), torch.nn.ReLU(),
                              torch.nn.Linear(wide, wide), torch.nn.ReLU(), torch.nn.Linear(wide, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
    criterion = torch.nn.CrossEntropyLoss()
    begin, rows = None, 0
    while begin is None or time.perf_counter() - begin < seconds:
        for i, items in enumerate(loader):
            optimizer.zero_grad()
            loss = criterion(net(items[0].float()), items[1])
            loss.backward()
            optimizer.step()
            rows += len(items[1])
            if begin is None and i == 9:
                begin, rows = time.perf_counter(), 0
            if begin is not None and time.perf_counter() - begin > seconds:
                break
    print("rate", rows / (time.perf_counter() - begin), flush=True)
    for worker in multiprocessing.active_children():  # one that waits to send a batch would never end
        worker.kill()
    os._exit(0)


class Text:
    def __init__(self):
        folder = sysconfig.get_paths()["stdlib"]
        names = sorted(n for n in os.listdir(folder) if n.endswith(".py"))
        text = "".join(open(os.path.join(folder, n), encoding="utf-8", errors="replace").read() for n in names)
        self.pieces = [text[i:i + 2000] for i in range(0, len(text) - 2000, 1000)]

    def __len__(self):
        return len(self.pieces)

    def __getitem__(self, number):
        import torch
        words = re.findall(r"\w+|[^\w\s]", self.pieces[number])
        return torch.tensor([hash(word) % 1000 for word in words[:128]] + [0] * max(0, 128 - len(words))), number % 10


class Images:
    def __init__(self, folder):
        if folder:
            self.files = sorted(os.path.join(d, n) for d, _, names in os.walk(folder) for n in names
                                if n.lower().endswith((".jpg", ".jpeg")))
            self.texts = [open(n, "rb").read() for n in self.files]
        else:
            self.texts = [self.made(n) for n in range(256)]

    @staticmethod
    def made(number):
        import random
        from PIL import Image
        source = random.Random(number)
        small = Image.frombytes("RGB", (40, 30), bytes(source.randrange(256) for _ in range(3600)))
        out = io.BytesIO()
        small.resize((500, 375), Image.BICUBIC).save(out, "JPEG", quality=90)
        return out.getvalue()

    def __len__(self):
        return 20 * len(self.texts)

    def __getitem__(self, number):
        import numpy
        import torch
        from PIL import Image
        image = Image.open(io.BytesIO(self.texts[number % len(self.texts)])).convert("RGB").resize((64, 64))
        return torch.from_numpy(numpy.array(image)), number % 10


class Item:
    def __init__(self, number):
        self.id, self.name, self.box = number, "item%d" % number, [float(number)] * 16
        self.meta = {"k%d" % k: (k, number) for k in range(16)}


class Rows:
    def __len__(self):
        return 12800

    def __getitem__(self, number):
        import torch
        return torch.full((32,), float(number)), number % 10


def with_objects(rows):
    import torch
    return (torch.stack([a for a, _ in rows]), torch.tensor([b for _, b in rows]),
            [Item(i) for i in range(len(rows) * 4)])


def data(torch, name, images):
    if name == "text":
        return Text(), 64, None
    if name == "images":
        return Images(images), 32, None
    if name == "objects":
        return Rows(), 128, with_objects
    return torch.utils.data.TensorDataset(torch.randn(60000, 100), torch.randint(0, 10, (60000,))), 64, None


# ---------------------------------------------------------------------------------- the comparison

def predicted(name, model, images):
    tune = os.environ.get("TUNE", "tune")
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "made.yaml")
        subprocess.run([tune, "init", "-q", "-o", out, "--", sys.executable, os.path.abspath(__file__), "train", name,
                        model, "0", "30", images], check=True, cwd=folder, stdout=subprocess.DEVNULL)
        text = open(out).read()
    line = re.compile(r"num_workers (\d+): ([\d,.]+) samples/s \[([\d,.]+), ([\d,.]+)\]")
    return {int(n): [float(v.replace(",", "")) for v in three] for n, *three in line.findall(text)}


def measured(name, model, workers, seconds, images):
    run = subprocess.run([sys.executable, os.path.abspath(__file__), "train", name, model, str(workers), str(seconds),
                          images], check=True, capture_output=True, text=True)
    return float(run.stdout.split()[-1])


def main():
    words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    seconds, images = float(words.get("--seconds", 5)), words.get("--images", "")
    errors, inside, right, best_of = [], 0, 0, 0
    print("data set   model  workers  predicted samples/s          measured   error")
    for name in SETS:
        for model in MODELS:
            curve = predicted(name, model, images)
            rates = {n: measured(name, model, n, seconds, images) for n in WORKERS if n in curve}
            for n, rate in rates.items():
                middle, low, high = curve[n]
                errors.append(middle / rate - 1)
                inside += low <= rate <= high
                print("%-10s %-6s %7d  %8.0f [%6.0f, %6.0f]  %8.0f  %+5.0f %%"
                      % (name, model, n, middle, low, high, rate, 100 * errors[-1]), flush=True)
            choice = max(rates, key=lambda n: curve[n][0])
            best_of += 1
            right += rates[choice] >= 0.95 * max(rates.values())
    sizes = sorted(abs(e) for e in errors)
    print("%d configurations: median error %.0f %%, largest %.0f %%; %d inside of the interval; "
          "the predicted best is within 5 %% of the best in %d of %d"
          % (len(errors), 100 * sizes[len(sizes) // 2], 100 * sizes[-1], inside, right, best_of))


if __name__ == "__main__":
    if sys.argv[1:2] == ["train"]:
        train(sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]), sys.argv[6])
    else:
        main()
