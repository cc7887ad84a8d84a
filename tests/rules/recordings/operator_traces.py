"""Trainings on the CPU that one kind of operator slows down, with the parts of a step as torch.profiler writes them."""

import contextlib

from trace_rows import MS, US, Trace

BACKWARD = "autograd::engine::evaluate_function: "


def computed(trace, name, length, dims=None):
    with trace.operator(name, dims):
        trace.work(length / MS)


def learned(trace):
    with trace.operator(BACKWARD + "AddmmBackward0"):
        computed(trace, "aten::mm", 6 * MS, [[64, 512], [512, 512]])
    with trace.row("Optimizer.step#AdamW.step"):
        computed(trace, "aten::_fused_adamw_", 1 * MS)


@contextlib.contextmanager
def training_step(trace):
    """The forward pass is what is in it."""
    with trace.step():
        trace.next_batch()
        with trace.row("forward"):
            yield
        learned(trace)


def linear(trace, length=3 * MS):
    with trace.operator("aten::linear", [[64, 512], [512, 512], [512]]):
        computed(trace, "aten::addmm", length, [[512], [64, 512], [512, 512]])


def activations_computed_again():
    """torch.utils.checkpoint: the function of the block's last operator computes its layers first."""
    trace = Trace(devices=0)
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.row("forward"):
                linear(trace)
                linear(trace)
            with trace.operator(BACKWARD + "ReluBackward0"):
                linear(trace)
                computed(trace, "aten::relu", 200 * US)
                linear(trace)
                computed(trace, "aten::threshold_backward", 200 * US)
            learned(trace)
    return trace


def cell_for_each_step_in_time():
    trace = Trace(devices=0)
    for _ in range(6):
        with training_step(trace):
            for _ in range(40):
                computed(trace, "aten::select", 4 * US)
                with trace.operator("aten::lstm_cell", [[32, 64], [], [256, 64], [256, 64]]):
                    linear(trace, 60 * US)
                    computed(trace, "aten::sigmoid_", 20 * US)
    return trace


def few_rows_of_a_large_table():
    """Adam goes over a million embeddings, of which a batch looks up 2048."""
    trace = Trace(devices=0)
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            computed(trace, "aten::embedding", 1 * MS, [[1000000, 64], [256, 8], [], [], []])
            linear(trace)
            with trace.operator(BACKWARD + "EmbeddingBackward0"):
                computed(trace, "aten::embedding_dense_backward", 60 * MS, [[256, 8, 64], [256, 8], [], [], []])
            with trace.row("Optimizer.step#Adam.step"):
                for name in ("aten::lerp_", "aten::addcmul_", "aten::sqrt", "aten::div", "aten::addcdiv_"):
                    computed(trace, name, 60 * MS, [[1000000, 64], [1000000, 64]])
    return trace


def forward_for_metrics():
    """The model is computed a second time after the update, for the accuracy."""
    trace = Trace(devices=0)
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.row("forward"):
                linear(trace)
            learned(trace)
            linear(trace, 4 * MS)
            computed(trace, "aten::argmax", 300 * US)
    return trace


def sorted_for_the_largest():
    trace = Trace(devices=0)
    for _ in range(6):
        with training_step(trace):
            linear(trace)
            computed(trace, "aten::sort", 80 * MS, [[8, 100000]])
            computed(trace, "aten::slice", 3 * US, [[8, 100000]])
    return trace


OPERATOR_TRACES = {"activations-computed-again": activations_computed_again,
                   "cell-for-each-step-in-time": cell_for_each_step_in_time,
                   "few-rows-of-a-large-table": few_rows_of_a_large_table,
                   "forward-for-metrics": forward_for_metrics,
                   "sorted-for-the-largest": sorted_for_the_largest}
