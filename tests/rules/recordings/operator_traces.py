"""Trainings on the CPU that one kind of operator slows down, with the parts of a step as torch.profiler writes them."""

import contextlib

from python_training import CPU, Training
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


def stored_gradients(trace, parameters):
    """Each parameter has the shape [64, 64]."""
    for _ in range(parameters):
        with trace.operator(BACKWARD + "torch::autograd::AccumulateGrad"):
            computed(trace, "torch::autograd::AccumulateGrad", 2 * US, [[64, 64]])


def updated(trace):
    with trace.row("Optimizer.step#SGD.step"):
        computed(trace, "aten::_foreach_add_", 300 * US)


def gradients_clipped_by_hand():
    """A norm and its .item() for each parameter, then a product for each."""
    trace = Trace(devices=0)
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.row("forward"):
                linear(trace)
            stored_gradients(trace, 80)
            for _ in range(80):
                computed(trace, "aten::linalg_vector_norm", 3 * US, [[64, 64], [], [], [], []])
                trace.work(0.003)
                computed(trace, "aten::item", 1 * US, [[]])
                trace.work(0.003)
            for _ in range(80):
                computed(trace, "aten::mul_", 2 * US, [[64, 64], []])
                trace.work(0.002)
            updated(trace)
    return trace


def average_by_state_dict():
    """state_dict() for each key of the average: 24 keys, 24 tensors each time."""
    trace = Trace(devices=0)
    for _ in range(4):
        with trace.step():
            trace.next_batch()
            with trace.row("forward"):
                linear(trace)
            stored_gradients(trace, 24)
            updated(trace)
            for _ in range(24):
                for _ in range(24):
                    computed(trace, "aten::detach", 1 * US, [[64, 64]])
                    trace.work(0.004)
                computed(trace, "aten::mul", 3 * US, [[64, 64], []])
                computed(trace, "aten::add", 3 * US, [[64, 64], [64, 64], []])
    return trace


def gradients_of_indices():
    """A graph's edges read their nodes by h[source]."""
    trace = Trace(devices=0)
    for _ in range(6):
        with training_step(trace):
            linear(trace)
            computed(trace, "aten::index", 3 * MS, [[5000, 32], []])
            computed(trace, "aten::index_add", 2 * MS, [[5000, 32], [], [60000], [60000, 32], []])
            with trace.operator(BACKWARD + "IndexBackward0"), trace.operator("IndexBackward0"):
                computed(trace, "aten::_index_put_impl_", 5 * MS, [[5000, 32], [], [60000, 32], [], []])
    return trace


def weights_normalised_again():
    """A recurrent layer with weight_norm: its weight is computed from its parts in each of 40 steps in time."""
    trace = Trace(devices=0)
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.row("forward"):
                for _ in range(40):
                    with trace.operator("aten::_weight_norm", [[512, 512], [512, 1], []]):
                        computed(trace, "aten::_weight_norm_interface", 300 * US, [[512, 512], [512, 1], []])
                    linear(trace, 150 * US)
            for _ in range(40):
                with trace.operator(BACKWARD + "WeightNormInterfaceBackward0"):
                    computed(trace, "aten::_weight_norm_interface_backward", 300 * US)
                with trace.operator(BACKWARD + "AddmmBackward0"):
                    computed(trace, "aten::mm", 200 * US, [[512, 8], [8, 512]])
            stored_gradients(trace, 4)
            updated(trace)
    return trace


def layouts_back_and_forth():
    """A convolution, then a LayerNorm over channels between two permute().contiguous()."""
    trace = Trace(devices=0)
    for _ in range(6):
        with training_step(trace):
            for _ in range(6):
                computed(trace, "aten::conv2d", 2 * MS, [[8, 48, 64, 64], [48, 48, 1, 1], [48], [], [], [], []])
                for name in ("aten::native_layer_norm", "aten::relu"):
                    with trace.operator("aten::contiguous", [[8, 48, 64, 64], []]), trace.operator("aten::clone"):
                        computed(trace, "aten::copy_", 2 * MS, [[8, 48, 64, 64], [8, 48, 64, 64], []])
                    computed(trace, name, 500 * US, [[8, 64, 64, 48]])
    return trace


def scores_for_all_positions():
    """32,000 words at 256 positions, of which 32 have a label."""
    trace = Trace(devices=0)
    for _ in range(6):
        with training_step(trace):
            linear(trace)
            with trace.operator("aten::linear", [[256, 192], [32000, 192]]):
                computed(trace, "aten::mm", 40 * MS, [[256, 192], [192, 32000]])
            computed(trace, "aten::_log_softmax", 8 * MS, [[256, 32000], [], []])
            with trace.operator(BACKWARD + "LogSoftmaxBackward0"):
                computed(trace, "aten::_log_softmax_backward_data", 6 * MS, [[256, 32000], [256, 32000], [], []])
            with trace.operator(BACKWARD + "MmBackward0"):
                computed(trace, "aten::mm", 40 * MS, [[32000, 256], [256, 192]])
                computed(trace, "aten::mm", 40 * MS, [[256, 32000], [32000, 192]])
    return trace


def numbers_as_objects():
    """A confusion matrix in a loop of Python over the numbers of two tensors."""
    trace = Trace(devices=0)
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.row("forward"):
                linear(trace)
            learned(trace)
            with trace.row("train.py(12): count", "python_function"):
                for _ in range(2):
                    with trace.row("<built-in method tolist of Tensor object at 0x7f0000000000>", "python_function"):
                        trace.work(0.28)
                trace.work(6)
    return trace


def factors_in_the_wrong_order():
    """Three matrices of 768 x 768, multiplied with each other before 32 rows are multiplied with them."""
    trace = Trace(devices=0)
    for _ in range(6):
        with training_step(trace):
            with trace.operator("aten::einsum", [[], [[768, 768], [768, 768], [768, 768], [32, 768]], []]):
                computed(trace, "aten::bmm", 12 * MS, [[1, 768, 768], [1, 768, 768]])
                computed(trace, "aten::bmm", 12 * MS, [[1, 768, 768], [1, 768, 768]])
                computed(trace, "aten::bmm", 500 * US, [[1, 768, 768], [1, 768, 32]])
            for length in (500 * US, 12 * MS, 12 * MS, 12 * MS, 12 * MS):
                with trace.operator(BACKWARD + "BmmBackward0"):
                    computed(trace, "aten::bmm", length, [[1, 768, 768], [1, 768, 768]])
    return trace


def backward_for_each_loss():
    """Three losses of one backbone, each with loss.backward(retain_graph=True): three passes through its graph."""
    trace = Training(CPU)
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            trace.zero_grad("SGD")
            for _ in range(8):
                trace.forward("aten::linear", "AddmmBackward0", [("", 1 * MS)], inside=("aten::addmm",), dims=[[512], [64, 512], [512, 512]],
                              back=[("aten::mm", [("", 1 * MS)]), ("aten::mm", [("", 1 * MS)])])
            backbone = trace.tape
            for _ in range(3):
                trace.tape = list(backbone)
                trace.forward("aten::linear", "AddmmBackward0", [("", 100 * US)], inside=("aten::addmm",), dims=[[10], [64, 512], [512, 10]],
                              back=[("aten::mm", [("", 100 * US)]), ("aten::mm", [("", 100 * US)])])
                trace.backward()
            trace.optimizer("SGD", [("aten::_foreach_add_", [("", 200 * US)])])
    return trace


def outputs_concatenated_one_by_one():
    """outputs = torch.cat([outputs, row]) in a loop over 100 rows, none of which is read before the loss."""
    trace = Training(CPU)
    for _ in range(5):
        with trace.step():
            trace.next_batch()
            trace.zero_grad("SGD")
            for length in range(1, 100):
                trace.forward("aten::linear", "AddmmBackward0", [("", 40 * US)], inside=("aten::addmm",), dims=[[256], [32, 256], [256, 256]],
                              back=[("aten::mm", [("", 40 * US)]), ("aten::mm", [("", 40 * US)])])
                trace.forward("aten::cat", "CatBackward0", [("", length * 8 * US)], dims=[[[length, 32, 256], [1, 32, 256]], []],
                              parameters=0, back=[("aten::narrow", [])])
            trace.backward()
            trace.optimizer("SGD", [("aten::_foreach_add_", [("", 200 * US)])])
    return trace


OPERATOR_TRACES = {"backward-for-each-loss": backward_for_each_loss,
                   "outputs-concatenated-one-by-one": outputs_concatenated_one_by_one,
                   "activations-computed-again": activations_computed_again,
                   "average-by-state-dict": average_by_state_dict,
                   "cell-for-each-step-in-time": cell_for_each_step_in_time,
                   "factors-in-the-wrong-order": factors_in_the_wrong_order,
                   "few-rows-of-a-large-table": few_rows_of_a_large_table,
                   "forward-for-metrics": forward_for_metrics,
                   "gradients-clipped-by-hand": gradients_clipped_by_hand,
                   "gradients-of-indices": gradients_of_indices,
                   "layouts-back-and-forth": layouts_back_and_forth,
                   "numbers-as-objects": numbers_as_objects,
                   "scores-for-all-positions": scores_for_all_positions,
                   "sorted-for-the-largest": sorted_for_the_largest,
                   "weights-normalised-again": weights_normalised_again}
