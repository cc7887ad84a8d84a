"""Rows of a trace as Kineto writes them, from a host that runs and streams that work behind it."""

import contextlib
import gzip
import json

US = 1000
MS = 1000 * US
HOST, BACKWARD = 412, 413
STREAM, COMMUNICATION = 7, 20
H100 = {"name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85045673984, "computeMajor": 9, "computeMinor": 0, "numSms": 132}


def us(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


class Trace:
    """`now` is the clock of the host, ns; work of a stream begins when its call is done and the stream is free."""

    def __init__(self, rank=None, ranks=1, gap=1 * US, devices=1, device=H100, backend="nccl"):
        self.now, self.gap, self.rank, self.ranks, self.devices = 10 * MS, gap, rank, ranks, devices
        self.device, self.backend, self.head = device, backend, {}
        self.free, self.rows, self.steps, self.ids, self.allocated = {}, [], 0, 0, 0
        self.thread = HOST

    def write(self, path):
        head = {"schemaVersion": 1,
                "deviceProperties": [{"id": i, **self.device} for i in range(self.devices)], **self.head}
        if self.rank is not None:
            head["distributedInfo"] = {"backend": self.backend, "rank": self.rank, "world_size": self.ranks}
        text = json.dumps(head)[:-1] + ', "baseTimeNanoseconds": 1700000000000000000, "traceEvents": [\n'
        self.rows.sort(key=lambda row: row[:2])
        text += ",\n".join(row[2] for row in self.rows) + "\n]}\n"
        with gzip.GzipFile(path, "wb", 9, mtime=0) as file:
            file.write(text.encode())

    def add(self, category, name, begin, length, pid, tid, args):
        self.rows.append((begin, -length, f'{{"ph":"X","cat":"{category}","name":{json.dumps(name)},"pid":{pid},"tid":{tid},'
                          f'"ts":{us(begin)},"dur":{us(length)},"args":{json.dumps(args, separators=(",", ":"))}}}'))

    @contextlib.contextmanager
    def row(self, name, category="user_annotation", **args):
        begin, thread = self.now, self.thread
        yield
        self.add(category, name, begin, self.now - begin, HOST, thread, args)

    @contextlib.contextmanager
    def step(self):
        with self.row(f"ProfilerStep#{self.steps}"):
            yield
            self.now += 2 * US
        self.steps += 1

    @contextlib.contextmanager
    def operator(self, name, dims=None, types=None, host=2 * US, **args):
        self.ids += 1
        if dims is not None:
            args["Input Dims"], args["Input type"] = dims, types or ["float" if size else "Scalar" for size in dims]
        with self.row(name, "cpu_op", **{"External id": self.ids, **args}):
            self.now += host
            yield
            self.now += 1 * US

    def work(self, milliseconds):
        """Of the host, without any row."""
        self.now += int(milliseconds * MS)

    def call(self, name, length):
        self.ids += 1
        self.add("cuda_runtime", name, self.now, length, HOST, self.thread, {"cbid": 211, "correlation": self.ids})
        self.now += length
        return self.ids

    def enqueue(self, category, name, correlation, length, stream, args):
        begin = max(self.now + 2 * US, self.free.get(stream, 0) + self.gap)
        self.free[stream] = begin + length
        self.add(category, name, begin, length, 0, stream,
                 {"device": 0, "context": 1, "stream": stream, "correlation": correlation, **args})

    def kernel(self, name, length, call=5 * US, blocks=1056, occupancy=50, stream=STREAM, **args):
        correlation = self.call("cudaLaunchKernel", call)
        self.enqueue("kernel", name, correlation, length, stream,
                     {"blocks per SM": round(blocks / self.device["numSms"], 2),
                      "warps per SM": round(blocks / self.device["numSms"] * 8, 2), "grid": [blocks, 1, 1], "block": [256, 1, 1],
                      "est. achieved occupancy %": occupancy, **args})

    def copy(self, way, size, length, call="cudaMemcpyAsync", host=6 * US, stream=STREAM):
        correlation = self.call(call, host)
        self.enqueue("gpu_memcpy", f"Memcpy {way}", correlation, length, stream, {"bytes": size})

    def waiting_copy(self, way, size, length, call="cudaMemcpyAsync", stream=STREAM, host=0):
        """A copy whose call comes back when it is done, and not before `host`."""
        begin = max(self.now + 4 * US, self.free.get(stream, 0) + self.gap) + max(0, host - length)
        self.ids += 1
        self.add("cuda_runtime", call, self.now, begin + length + US - self.now, HOST, self.thread, {"cbid": 41, "correlation": self.ids})
        self.add("gpu_memcpy", f"Memcpy {way}", begin, length, 0, stream,
                 {"device": 0, "context": 1, "stream": stream, "correlation": self.ids, "bytes": size})
        self.free[stream], self.now = begin + length, begin + length + US

    def synchronise(self, name="cudaStreamSynchronize"):
        self.call(name, max(2 * US, max(self.free.values(), default=0) + US - self.now))

    def memory(self, size, reserved=None, device=1):
        self.allocated += size
        args = {"Total Reserved": reserved or self.allocated, "Total Allocated": self.allocated, "Bytes": size, "Addr": 4096,
                "Device Id": 0 if device else -1, "Device Type": device}
        self.rows.append((self.now, 0, f'{{"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":{HOST},"tid":{HOST},'
                          f'"ts":{us(self.now)},"args":{json.dumps(args, separators=(",", ":"))}}}'))

    def next_batch(self, milliseconds=0.03, loader="_MultiProcessingDataLoaderIter"):
        with self.row(f"enumerate(DataLoader)#{loader}.__next__"):
            self.work(milliseconds)
