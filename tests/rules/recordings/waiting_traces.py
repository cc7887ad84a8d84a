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


WAITING_TRACES = {"scores-copied-to-the-host": scores_copied_to_the_host, "later-rank": later_rank,
                  "compiled-for-each-shape": compiled_for_each_shape}
