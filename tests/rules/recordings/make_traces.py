#!/usr/bin/env python3
"""make_traces.py [FOLDER]: the traces of traces/, each of a training with one problem, as Kineto would record it. They are invented:
no GPU ran. The same bytes each time, as far as zlib's do not change."""

import pathlib
import sys

from operator_traces import OPERATOR_TRACES
from python_traces import PYTHON_TRACES
from trace_rows import COMMUNICATION, HOST, BACKWARD, MS, US, Trace
from waiting_traces import WAITING_TRACES
from window_traces import WINDOW_TRACES

GEMM = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_kernel__5x_cublas"
MISALIGNED = "cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_"
ELEMENTWISE = "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl>(int)"
FUSED_ADAM = "void at::native::multi_tensor_apply_kernel<at::native::FusedAdamMathFunctor<float, 4>>"
ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
BF16 = "c10::BFloat16"


def product(length):
    """Shapes whose product takes so long at four fifths of what the device can do."""
    depth = max(64, round(0.8 * 989.4e3 * length / (2 * 4096 * 4096) / 64) * 64)
    return [[4096, depth], [depth, 4096]]


def forward(trace, kernels, length, host=2 * US, row="forward", **shape):
    with trace.row(row):
        for _ in range(kernels):
            with trace.operator("aten::mm", product(length), [BF16, BF16], host):
                trace.kernel(GEMM, length, **shape)


def backward(trace, kernels, length, parameters=0, host=2 * US, **shape):
    trace.thread = BACKWARD
    for _ in range(kernels):
        with trace.operator("autograd::engine::evaluate_function: MmBackward0"):
            with trace.operator("aten::mm", product(length), [BF16, BF16], host):
                trace.kernel(GEMM, length, **shape)
    for _ in range(parameters):
        with trace.operator("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", host=1 * US):
            with trace.operator("torch::autograd::AccumulateGrad", [[1024, 1024]], ["float"], host=1 * US):
                pass
    trace.thread = HOST


def fused_update(trace, length=200 * US):
    with trace.row("Optimizer.step#AdamW.step"):
        with trace.operator("aten::_fused_adamw_"):
            trace.kernel(FUSED_ADAM, length)


def bring_batch(trace, length=400 * US):
    """From pinned memory on a stream of its own, while the model computes."""
    with trace.operator("aten::copy_"):
        trace.copy("HtoD (Pinned -> Device)", 8 << 20, length, stream=9)


def busy_step(trace, kernels=12):
    """The host is as fast as the device, and has a step ahead of it."""
    trace.next_batch()
    bring_batch(trace)
    forward(trace, kernels, 300 * US, host=350 * US)
    backward(trace, kernels, 600 * US, host=510 * US)
    fused_update(trace)


def product_far_from_its_bound(trace):
    """A twentieth of what the device can do, in steps that are busy all the same."""
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            bring_batch(trace)
            with trace.row("forward"):
                for _ in range(10):
                    with trace.operator("aten::mm", [[512, 1024], [1024, 4096]], [BF16, BF16], 120 * US):
                        trace.kernel(GEMM, 110 * US)
            forward(trace, 12, 300 * US, host=310 * US)
            fused_update(trace)


def augmentation_without_rows(trace):
    """The script crops and flips by itself, in a range of its own."""
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.row("augment"):
                trace.work(6)
            bring_batch(trace)
            forward(trace, 12, 300 * US)
            fused_update(trace)
            trace.synchronise()


def nothing_to_gain(trace):
    for _ in range(6):
        with trace.step():
            busy_step(trace)


def scalar_sync(trace):
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.row("forward"), trace.operator("aten::embedding", host=900 * US):  # nothing is queued meanwhile
                trace.kernel(ELEMENTWISE, 20 * US)
            forward(trace, 6, 300 * US)
            bring_batch(trace)
            backward(trace, 6, 600 * US)
            fused_update(trace)
            with trace.operator("aten::item"), trace.operator("aten::_local_scalar_dense"):
                trace.copy("DtoH (Device -> Pageable)", 4, 2 * US)
                trace.synchronise()


def reads_that_wait(trace):
    """Thirty numbers are read in each step, and each time the call holds the host, although the device is done."""
    for _ in range(4):
        with trace.step():
            trace.next_batch()
            forward(trace, 6, 300 * US)
            bring_batch(trace)
            backward(trace, 6, 600 * US)
            fused_update(trace)
            for _ in range(30):
                with trace.operator("aten::item"), trace.operator("aten::_local_scalar_dense"):
                    trace.copy("DtoH (Device -> Pinned)", 4, 2 * US)
                    trace.call("cudaStreamSynchronize", 25400 * US)


def operators_before_kernels(trace):
    """No kernel is short, but each comes after three operators, and they take longer than it."""
    for _ in range(5):
        with trace.step():
            trace.next_batch()
            bring_batch(trace, 100 * US)
            for name in ("forward", "backward"):
                with trace.row(name):
                    for _ in range(100):
                        with trace.operator("aten::linear", host=25 * US):
                            with trace.operator("aten::t", host=25 * US):
                                pass
                            with trace.operator("aten::addmm", product(30 * US), [BF16, BF16], host=30 * US):
                                trace.kernel(GEMM, 30 * US)
            fused_update(trace)


def pageable_copies(trace):
    trace.free[7] = trace.now + 36 * MS  # the step before
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.row("transfer"), trace.operator("aten::copy_", [[256, 3, 224, 224], [256, 3, 224, 224]]):
                trace.waiting_copy("HtoD (Pageable -> Device)", 154140672, 6 * MS, host=24 * MS)
            forward(trace, 12, 1 * MS)
            backward(trace, 12, 2 * MS)
            fused_update(trace)


def tiny_kernels(trace):
    """Two batches a step of a small network, an optimizer that goes from parameter to parameter, gradients filled with zeros."""
    trace.memory(2 << 30)
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            bring_batch(trace, 20 * US)
            forward(trace, 60, 4 * US, host=8 * US, call=7 * US, blocks=16)
            backward(trace, 60, 4 * US, host=8 * US, call=7 * US, blocks=16, parameters=40)
            with trace.row("Optimizer.step#SGD.step"):
                for _ in range(40):
                    for name in ("aten::mul_", "aten::add_", "aten::add_"):
                        with trace.operator(name, host=8 * US):
                            trace.kernel(ELEMENTWISE, 3 * US, call=7 * US, blocks=16)
            with trace.row("Optimizer.zero_grad#SGD.zero_grad"):
                for _ in range(40):
                    with trace.operator("aten::zero_"), trace.operator("aten::fill_", host=6 * US):
                        trace.kernel("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>", 2 * US,
                                     call=7 * US, blocks=16)


def gaps_between_kernels(trace):
    trace.gap = 6 * US
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            bring_batch(trace)
            forward(trace, 100, 30 * US, host=28 * US)
            backward(trace, 100, 30 * US, host=25 * US)
            fused_update(trace)


def loader_in_the_step(trace):
    for _ in range(6):
        with trace.step():
            with trace.row("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"):
                for _ in range(8):
                    with trace.operator("aten::stack"):
                        trace.work(7)
            bring_batch(trace)
            forward(trace, 12, 500 * US, host=500 * US)
            backward(trace, 12, 1 * MS, host=1 * MS)
            fused_update(trace)


def checkpoint_in_the_loop(trace):
    for step in range(8):
        with trace.step():
            busy_step(trace)
            if step == 4:
                trace.synchronise("cudaDeviceSynchronize")
                with trace.row("checkpoint"):
                    trace.work(700)


def float32_convolutions(trace):
    types = ["float", "float", "float"]
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            bring_batch(trace)
            with trace.row("forward"):
                for _ in range(10):
                    with trace.operator("aten::conv2d", [[64, 64, 56, 56], [64, 64, 3, 3], [64]], types, 900 * US):
                        with trace.operator("aten::cudnn_convolution", [[64, 64, 56, 56], [64, 64, 3, 3]], types[:2]):
                            trace.kernel("void cudnn::nchwToNhwcKernel<float>(cudnn::nchw2nhwc_params_t)", 80 * US)
                            trace.kernel("implicit_convolve_sgemm<float, float, 1024, 5, 5, 3, 3, 3, 1>", 700 * US)
                            trace.kernel("void cudnn::nhwcToNchwKernel<float>(cudnn::nhwc2nchw_params_t)", 80 * US)
                        with trace.operator("aten::add_", [[64, 64, 56, 56], [1, 64, 1, 1], []], ["float", "float", "Scalar"]):
                            trace.kernel(ELEMENTWISE, 60 * US)
                    with trace.operator("aten::batch_norm", [[64, 64, 56, 56]], ["float"]):
                        trace.kernel("void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, int, 512, true, 1, true>", 100 * US)
                with trace.operator("aten::addmm", [[1000], [64, 2048], [2048, 1000]], types, 600 * US):
                    trace.kernel("ampere_sgemm_128x64_tn", 600 * US)
            fused_update(trace)


def shapes_that_change(trace):
    for step in range(24):
        with trace.step():
            trace.next_batch()
            bring_batch(trace)
            width = 200 + 8 * step
            with trace.row("forward"):
                for _ in range(4):
                    with trace.operator("aten::cudnn_convolution", [[16, 64, width, width], [64, 64, 3, 3]], [BF16, BF16], 510 * US):
                        trace.kernel("sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_tensor16x8x16_nhwc", 500 * US)
            fused_update(trace)


def data_parallel_rank(trace, rank=0, extra=0.0):
    """One rank: gradients are exchanged after the backward pass, in many small messages; `extra`: by how much this one is slower."""
    group = {"Process Group Name": "0", "Process Group Description": "default_pg", "Group size": 4, "dtype": "BFloat16",
             "Process Group Ranks": "[0, 1, 2, 3]", "Collective name": "allreduce"}
    late, transfer = int(12 * 0.6 * MS * 0.18), 60 * US
    for step in range(6):
        with trace.step():
            trace.next_batch()
            bring_batch(trace)
            forward(trace, 12, int(200 * US * (1 + extra)))
            backward(trace, 12, int(400 * US * (1 + extra)))
            trace.synchronise()
            for message in range(40):
                # The first waits for the rank that comes last.
                waits = 0 if extra or message else late
                with trace.operator("record_param_comms"):
                    trace.kernel(ALL_REDUCE, transfer + waits, stream=COMMUNICATION, blocks=24,
                                 **group, **{"In msg nelems": 32768, "Out msg nelems": 32768, "Seq": 40 * step + message})
            trace.free[7] = max(trace.free.values())
            fused_update(trace)
            trace.synchronise()


def two_devices_of_one_process(trace):
    trace.devices = 2
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            bring_batch(trace)
            forward(trace, 12, 300 * US, host=350 * US, row="DataParallel.forward")
            backward(trace, 12, 600 * US, host=510 * US)
            fused_update(trace)


def attention_in_pieces(trace):
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            bring_batch(trace)
            with trace.row("forward"):
                for _ in range(8):
                    with trace.operator("aten::bmm", [[16, 509, 61], [16, 61, 509]], [BF16, BF16], 540 * US):
                        trace.kernel(MISALIGNED + "tn_align1", 200 * US, blocks=24, occupancy=12)
                    with trace.operator("aten::softmax", [[16, 509, 509], [], []], [BF16, "Scalar", ""]):
                        trace.kernel("void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float>", 150 * US,
                                     blocks=24, occupancy=12)
                    with trace.operator("aten::bmm", [[16, 509, 509], [16, 509, 61]], [BF16, BF16]):
                        trace.kernel(MISALIGNED + "nn_align1", 200 * US, blocks=24, occupancy=12)
            fused_update(trace)


def copies_and_allocations(trace):
    trace.memory(76 << 30, reserved=78 << 30)
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.operator("aten::zeros", [[256, 4096]]), trace.operator("aten::zero_", [[256, 4096]]):
                trace.work(0.05)
            with trace.operator("aten::to", [[256, 4096]]), trace.operator("aten::copy_", [[256, 4096], [256, 4096]]):
                trace.waiting_copy("HtoD (Pageable -> Device)", 4194304, 300 * US)
            with trace.operator("aten::empty"):
                trace.call("cudaMalloc", 200 * US)
            forward(trace, 10, 300 * US)
            with trace.operator("aten::clone"), trace.operator("aten::copy_"):
                trace.copy("DtoD (Device -> Device)", 1 << 30, 800 * US)
            trace.call("cudaFree", 300 * US)
            with trace.operator("aten::copy_"):
                trace.waiting_copy("DtoH (Device -> Pinned)", 8 << 20, 300 * US, call="cudaMemcpy")
            correlation = trace.call("cudaMemset", 100 * US)
            trace.enqueue("gpu_memset", "Memset (Managed)", correlation, 20 * US, 7, {"bytes": 1 << 20})
            fused_update(trace)


def loop_over_rows(trace):
    trace.devices = 0  # on the CPU
    for _ in range(6):
        with trace.step():
            trace.next_batch()
            with trace.row("forward"), trace.operator("aten::linear", [[64, 64], [64, 64]]):
                for _ in range(48):
                    with trace.operator("aten::select"):
                        pass
                    with trace.operator("aten::mul"):
                        trace.work(0.01)


def growing_memory(trace):
    trace.memory(8 << 30)
    for step in range(60):
        with trace.step():
            trace.next_batch()
            trace.memory(40 << 20)
            forward(trace, 2, 300 * US, host=400 * US)
            fused_update(trace)
            if step % 2:
                trace.add("overhead", "Lazy Function Loading", trace.now - 150 * US, 100 * US, -1, 0, {})


def no_launches(trace):
    nothing_to_gain(trace)
    trace.rows = [row for row in trace.rows if '"cuda_runtime"' not in row[2] and "ProfilerStep#" not in row[2]]


TRACES = {"nothing-to-gain": nothing_to_gain, "scalar-sync": scalar_sync, "reads-that-wait": reads_that_wait,
          "pageable-copies": pageable_copies, "tiny-kernels": tiny_kernels,
          "gaps-between-kernels": gaps_between_kernels, "loader-in-the-step": loader_in_the_step,
          "checkpoint-in-the-loop": checkpoint_in_the_loop, "float32-convolutions": float32_convolutions,
          "shapes-that-change": shapes_that_change, "attention-in-pieces": attention_in_pieces,
          "copies-and-allocations": copies_and_allocations, "loop-over-rows": loop_over_rows, "growing-memory": growing_memory,
          "two-devices-of-one-process": two_devices_of_one_process,
          "product-far-from-its-bound": product_far_from_its_bound, "augmentation-without-rows": augmentation_without_rows, "no-launches": no_launches,
          "operators-before-kernels": operators_before_kernels}


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "traces")
    for name, record in TRACES.items():
        trace = Trace()
        record(trace)
        trace.write(folder / f"{name}.json.gz")
    for name, record in (PYTHON_TRACES | WINDOW_TRACES | OPERATOR_TRACES | WAITING_TRACES).items():
        record().write(folder / f"{name}.json.gz")
    for rank in range(4):
        trace = Trace(rank, 4)
        data_parallel_rank(trace, rank, 0.18 if rank == 2 else 0.0)
        trace.write(folder / f"data-parallel-rank{rank}.json.gz")


if __name__ == "__main__":
    main()
