"""Compares `tune analyze --table operators` with PyTorch's own key_averages() on the rows of exported traces.

PyTorch's part is torch/autograd/profiler_util.py itself: from an installed torch, or from a wheel's file
(--profiler-util), which needs nothing else of torch. The rows become FunctionEvents the way
torch.autograd.profiler does it with what Kineto gives it. Times stay whole nanoseconds.

What may differ: memory, where threads overlap (PyTorch counts what any thread allocates meanwhile); device
time in traces of 2023, whose external ids are correlations (PyTorch itself never reads ids from a file).
"""

import argparse
import bisect
import collections
import decimal
import enum
import gzip
import json
import subprocess
import sys
import types

HOST = {"cpu_op", "operator", "user_annotation", "cuda_runtime", "cuda_driver", "runtime"}
OPERATORS = {"cpu_op", "operator", "user_annotation"}
DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"}
HOST_MEMORY, DEVICE_MEMORY = {0, 2, 5}, {1, 6, 12, 20}  # c10::DeviceType
COLUMNS = [
    "count", "self_cpu_time_total", "cpu_time_total", "self_device_time_total", "device_time_total",
    "self_cpu_memory_usage", "cpu_memory_usage", "self_device_memory_usage", "device_memory_usage",
]


def load_profiler_util(path):
    if path is None:
        from torch.autograd import profiler_util
        return profiler_util

    class DeviceType(enum.IntEnum):
        CPU, CUDA, MKLDNN, IDEEP, HIP, XPU, HPU, MTIA, PrivateUse1 = 0, 1, 2, 5, 6, 12, 18, 19, 20

    torch, autograd = types.ModuleType("torch"), types.ModuleType("torch.autograd")
    autograd.DeviceType, torch.autograd = DeviceType, autograd
    torch._C = types.SimpleNamespace(_demangle=lambda name: name)
    extensions = types.ModuleType("typing_extensions")
    extensions.deprecated = lambda *args, **kwargs: lambda function: function
    sys.modules |= {"torch": torch, "torch.autograd": autograd, "typing_extensions": extensions}
    module = types.ModuleType("profiler_util")
    sys.modules["profiler_util"] = module
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), module.__dict__)
    return module


def read_rows(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        document = json.loads(file.read().decode("utf-8", "replace"), strict=False)
    return document["traceEvents"] if isinstance(document, dict) else document


def ns(us):
    return int((decimal.Decimal(str(us)) * 1000).to_integral_value())


class Memory:
    def __init__(self, rows):
        self.records = sorted((ns(row["ts"]), i, row) for i, row in enumerate(rows))
        self.times = [time for time, _, _ in self.records]
        self.used = set()

    def within(self, start, end):
        use = [0, 0]
        for i in range(bisect.bisect_left(self.times, start), bisect.bisect_right(self.times, end)):
            self.used.add(i)
            self.add(use, self.records[i][2])
        return use

    @staticmethod
    def add(use, row):
        device = row["args"]["Device Type"]
        use[0] += row["args"]["Bytes"] if device in HOST_MEMORY else 0
        use[1] += row["args"]["Bytes"] if device in DEVICE_MEMORY else 0

    def outside(self):
        for i, (time, _, row) in enumerate(self.records):
            if i not in self.used:
                use = [0, 0]
                self.add(use, row)
                yield time, row, use


def event_list(util, rows):
    complete = [row for row in rows if row["ph"] == "X"]
    has_device = any(row.get("cat", "").lower() in DEVICE for row in complete)
    memory = Memory([row for row in rows if row["name"] == "[memory]"])
    kinds = util.DeviceType
    shared = {"use_device": "cuda" if has_device else None, "flops": 0}
    events, operators, work = [], {}, []
    for row in complete:
        category, args = row.get("cat", "").lower(), row.get("args", {})
        if category not in HOST | DEVICE or util._filter_name(row["name"]):
            continue
        start = ns(row["ts"])
        end = start + ns(row.get("dur", 0))
        use = memory.within(start, end) if category in HOST else [0, 0]
        external_id = args.get("External id", args.get("external id", 0))
        event = util.FunctionEvent(
            id=external_id, name=util._rewrite_name(row["name"], True), thread=(str(row["pid"]), str(row["tid"])),
            start_us=start, end_us=end, input_shapes=args.get("Input Dims"), stack=[],
            cpu_memory_usage=use[0], device_memory_usage=use[1],
            device_type=kinds.CPU if category in HOST else kinds.CUDA,
            is_user_annotation=category == "user_annotation", **shared)
        events.append(event)
        if category in OPERATORS:
            operators[external_id] = event
        elif category in DEVICE:
            work.append((external_id, event))
    for external_id, event in work:
        if external_id and external_id in operators:
            duration = event.time_range.end - event.time_range.start
            operators[external_id].append_kernel(event.name, 0, duration)
    for time, row, use in memory.outside():
        events.append(util.FunctionEvent(
            id=0, name="[memory]", thread=(str(row["pid"]), str(row["tid"])), start_us=time, end_us=time,
            input_shapes=[], stack=[], cpu_memory_usage=use[0], device_memory_usage=use[1], **shared))
    events.sort(key=lambda event: (event.time_range.start, -event.time_range.end))
    result = util.EventList(events, use_device=shared["use_device"], profile_memory=True)
    result._build_tree()
    return result


def pytorchs(util, rows, by_shape):
    sums = collections.defaultdict(lambda: [0] * len(COLUMNS))
    for row in event_list(util, rows).key_averages(group_by_input_shapes=by_shape):
        if row.device_type == util.DeviceType.CPU:
            shapes = json.dumps(row.input_shapes, separators=(",", ":")) if by_shape and row.input_shapes else ""
            for i, column in enumerate(COLUMNS):
                sums[row.key, shapes][i] += getattr(row, column)
    return sums


def ours(tune, path, by_shape):
    command = [tune, "analyze", path, "--table", "operators", "--json"] + (["--group-by", "shape"] if by_shape else [])
    table = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    if table["reason"]:
        return table["reason"]
    sums = collections.defaultdict(lambda: [0] * len(COLUMNS))
    for row in table["rows"]:
        for i, column in enumerate(COLUMNS):
            value = row.get(column) or 0
            sums[row["name"], row.get("input_shapes") or ""][i] += round(value * 1e9) if "time" in column else value
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tune", default="build/release/bin/tune")
    parser.add_argument("--profiler-util", help="torch/autograd/profiler_util.py out of a wheel")
    parser.add_argument("traces", nargs="+")
    options = parser.parse_args()
    util = load_profiler_util(options.profiler_util)
    for path in options.traces:
        rows = read_rows(path)
        for by_shape in (False, True):
            name = f"{path} by {'shape' if by_shape else 'name'}"
            mine = ours(options.tune, path, by_shape)
            if isinstance(mine, str):
                print(f"{name}: {mine}")
                continue
            theirs = pytorchs(util, rows, by_shape)
            different = collections.Counter(
                column for key in mine.keys() | theirs.keys()
                for column, a, b in zip(COLUMNS, mine[key], theirs[key]) if a != b)
            print(f"{name}: {len(theirs)} rows, " + (f"different: {dict(different)}" if different else "equal"))


if __name__ == "__main__":
    main()
