"""Traces of a device that waits: for a large copy to the host, for a later rank, for torch.compile."""

from trace_rows import COMMUNICATION, MS, US, Trace
from window_traces import ALL_REDUCE, products, sent, updated


def scores_copied_to_the_host():
    """metric(logits.cpu(), labels): 512 MB of scores cross into pageable memory after each forward pass."""
    trace = Trace()
    for _ in range(4):
        with trace.step():
            products(trace, 30, 800 * US)
            with trace.operator("aten::to"), trace.operator("aten::copy_"):
                trace.waiting_copy("DtoH (Device -> Pageable)", 512 << 20, 160 * MS)
            products(trace, 60, 800 * US)
            updated(trace)
            trace.synchronise()
    return trace


def later_rank():
    """Five buckets of 25 MB take 1.5 ms each; the first one of each step lasts until the rank with the longest texts comes."""
    trace = Trace(rank=0, ranks=8)
    for step in range(5):
        with trace.step():
            products(trace, 40, 400 * US)
            for bucket in range(5):
                products(trace, 16, 300 * US)
                with trace.row("nccl:all_reduce"):
                    trace.kernel(ALL_REDUCE, (60 * MS if bucket == 0 else 1500 * US), stream=COMMUNICATION, blocks=24,
                                 **sent("allreduce", 6553600, 5 * step + bucket))
            trace.free[7] = max(trace.free.values())
            updated(trace)
            trace.synchronise()
    return trace


def compiled_for_each_shape():
    """Batches of a new length in every second step: torch.compile(dynamic=False) compiles again for half a second."""
    trace = Trace()
    for step in range(8):
        with trace.step():
            if step % 2 == 1:
                with trace.row("_compile.compile_inner (dynamo_timed)"), trace.row("compile_fx_inner (dynamo_timed)"):
                    trace.work(500)
            with trace.row(f"Torch-Compiled Region: 0/{step // 2}"), trace.operator("CompiledFunction"):
                products(trace, 60, 300 * US)
            updated(trace)
            trace.synchronise()
    return trace


def shared_device():
    """Another process has every second time slice of 2 ms: the host is far ahead, and yet nothing runs."""
    trace = Trace()
    for _ in range(4):
        with trace.step():
            for number in range(160):
                products(trace, 1, 250 * US)
                if number % 8 == 7:
                    trace.free[7] += 2 * MS
            updated(trace)
            trace.synchronise()
    return trace


def validated_in_the_loop():
    """Every step looks at six batches of the validation set without gradients; the host is ahead of the device all the time."""
    trace = Trace()
    for _ in range(5):
        with trace.step():
            with trace.row("forward"):
                products(trace, 20, 300 * US)
            with trace.row("backward"):
                products(trace, 40, 300 * US)
            updated(trace)
            for _ in range(6 * 20):
                with trace.operator("aten::linear"):
                    products(trace, 1, 300 * US)
            trace.synchronise()
    return trace


WAITING_TRACES = {"shared-device": shared_device, "validated-in-the-loop": validated_in_the_loop,
                  "scores-copied-to-the-host": scores_copied_to_the_host, "later-rank": later_rank,
                  "compiled-for-each-shape": compiled_for_each_shape}
