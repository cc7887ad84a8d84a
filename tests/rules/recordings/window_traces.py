"""Traces that people send: of the start, of an empty cycle, of a server's window, of one rank alone."""

import functools

from trace_rows import COMMUNICATION, HOST, MS, US, Trace

GEMM = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_kernel__5x_cublas"
SMALL = "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)"
UPDATE = "void at::native::multi_tensor_apply_kernel<at::native::FusedAdamMathFunctor<float, 4>>"
ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
BROADCAST = "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
SEND = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"


def products(trace, count, length, host=2 * US, call=5 * US):
    for _ in range(count):
        with trace.operator("aten::mm", host=host):
            trace.kernel(GEMM, length, call=call)


def updated(trace, length=200 * US):
    with trace.row("Optimizer.step#AdamW.step"), trace.operator("aten::_fused_adamw_"):
        trace.kernel(UPDATE, length)


def start_of_a_program():
    """No step is marked; the first cudaFree makes the context, and the first launches load their modules."""
    trace = Trace()
    trace.call("cudaFree", 900 * MS)
    for length in (400, 150, 90, 60, 30):
        with trace.operator("aten::mm"):
            trace.kernel(GEMM, 30 * US, call=length * MS)
    products(trace, 80, 30 * US)
    trace.synchronise()
    return trace


def start_within_steps():
    """The steps are marked, and the window holds the first of all."""
    trace = Trace()
    for step in range(3):
        with trace.step():
            if step == 0:
                trace.call("cudaFree", 800 * MS)
                with trace.operator("aten::mm"):
                    trace.kernel(GEMM, 30 * US, call=500 * MS)
            products(trace, 60, 300 * US)
            updated(trace)
            trace.synchronise()
    return trace


def captured_graph():
    """What is captured does not run: launches without kernels, then the graph is made."""
    trace = Trace()
    with trace.row("capture_32_FULL"):
        for _ in range(300):
            with trace.operator("aten::mm", host=60 * US):
                trace.call("cudaLaunchKernel", 4 * US)
        trace.call("cudaGraphInstantiateWithFlags", 900 * US)
        products(trace, 3, 20 * US)
        trace.synchronise()
    return trace


def second_empty_cycle():
    """A schedule without repeat=1: the file of the first cycle is overwritten by one of a few rows."""
    trace = Trace()
    for _ in range(3):
        with trace.step():
            trace.work(30)
    with trace.operator("aten::empty"):
        pass
    return trace


def server_window():
    """The host has queued its work in 2 ms; what the device does meanwhile was launched before the window."""
    trace = Trace()
    trace.free[7] = trace.now + 9 * MS
    with trace.row("execute_32_context_0(sq0sk0)_generation_32(sq32sk5)"):
        products(trace, 30, 10 * US)
        correlation = trace.call("cudaGraphLaunch", 500 * US)
        for _ in range(400):
            trace.enqueue("kernel", GEMM, correlation, 26 * US, 7,
                          {"graph node id": 1, "blocks per SM": 8, "warps per SM": 64, "grid": [1056, 1, 1], "block": [256, 1, 1],
                           "est. achieved occupancy %": 50})
    return trace


def server_that_waits():
    """The host waits in a copy for work that was launched before the window."""
    trace = Trace()
    with trace.row("step[DECODE bs=32]"):
        products(trace, 5, 10 * US)
        with trace.operator("aten::copy_"):
            trace.waiting_copy("DtoH (Device -> Pageable)", 128, 2 * US, call="cudaMemcpy", host=460 * MS)
        products(trace, 60, 15 * US)
        trace.synchronise()
    return trace


def gpu_not_watched():
    """activities=[CPU] on a machine with a GPU: the host waits, and no row says for what."""
    trace = Trace()
    for _ in range(6):
        with trace.step():
            for _ in range(60):
                with trace.operator("aten::mm"):
                    pass
            trace.work(40)
            with trace.row("Optimizer.step#AdamW.step"), trace.operator("aten::_fused_adamw_"):
                pass
    return trace


def launches_beside_the_optimizer():
    """A launch-bound step of whose launches a fiftieth are the optimizer's."""
    trace = Trace()
    for _ in range(6):
        with trace.step():
            with trace.row("forward"):
                for _ in range(200):
                    with trace.operator("aten::add", host=8 * US):
                        trace.kernel(SMALL, 3 * US)
            with trace.row("Optimizer.step#AdamW.step"):
                for _ in range(4):
                    with trace.operator("aten::_foreach_add_", host=20 * US):
                        trace.kernel(UPDATE, 3 * US)
            trace.synchronise()
    return trace


def rank_of_a_pipeline():
    """Between stages activations are sent: all-reduce is a small part of the communication."""
    trace = Trace(rank=1, ranks=8)
    for step in range(6):
        with trace.step():
            products(trace, 12, 300 * US)
            trace.synchronise()
            for _ in range(8):
                with trace.operator("c10d::send"):
                    trace.kernel(SEND, 600 * US, stream=COMMUNICATION, blocks=24, **{
                        "Collective name": "send", "In msg nelems": 1 << 20, "Out msg nelems": 1 << 20, "dtype": "BFloat16",
                        "Group size": 8, "Process Group Name": "1", "Seq": step})
            with trace.operator("c10d::allreduce_"):
                trace.kernel(ALL_REDUCE, 150 * US, stream=COMMUNICATION, blocks=24, **{
                    "Collective name": "allreduce", "In msg nelems": 1 << 14, "Out msg nelems": 1 << 14, "dtype": "BFloat16",
                    "Group size": 8, "Process Group Name": "0", "Seq": step})
            trace.free[7] = max(trace.free.values())
            updated(trace)
            trace.synchronise()
    return trace


def micro_batches(reduces_each):
    """Four micro-batches for each update, whose gradients are summed after each, or after the last alone."""
    trace = Trace(rank=0, ranks=8)
    for step in range(6):
        with trace.step():
            for micro in range(4):
                with trace.row("DistributedDataParallel.forward"):
                    products(trace, 6, 300 * US)
                products(trace, 12, 300 * US)
                if reduces_each or micro == 3:
                    trace.synchronise()
                    with trace.row("nccl:all_reduce"):
                        trace.kernel(ALL_REDUCE, 2 * MS, stream=COMMUNICATION, blocks=24, **{
                            "Collective name": "allreduce", "In msg nelems": 1 << 24, "Out msg nelems": 1 << 24, "dtype": "BFloat16",
                            "Group size": 8, "Process Group Name": "0", "Seq": 4 * step + micro})
                    trace.free[7] = max(trace.free.values())
            updated(trace)
            trace.synchronise()
    return trace


def more_sent_than_computed():
    """Gradients of 46 MB are summed in four times the time of the backward pass; beside them two broadcasts of some bytes."""
    trace = Trace(rank=0, ranks=8)
    for step in range(4):
        with trace.step():
            for number, (name, elements, length) in enumerate((("broadcast", 9600, 14 * US), ("broadcast", 20, 6 * US))):
                trace.kernel(BROADCAST, length, stream=COMMUNICATION, blocks=24, **sent(name, elements, 4 * step + number))
            products(trace, 12, 150 * US)
            for number, (elements, length) in enumerate(((2873320, 6800 * US), (8816192, 9000 * US))):
                products(trace, 6, 150 * US)
                with trace.row("nccl:all_reduce"):
                    trace.kernel(ALL_REDUCE, length, stream=COMMUNICATION, blocks=24,
                                 **sent("allreduce", elements, 4 * step + 2 + number))
            trace.free[7] = max(trace.free.values())
            updated(trace)
            trace.synchronise()
    return trace


def sent(name, elements, sequence):
    return {"Collective name": name, "In msg nelems": elements, "Out msg nelems": elements, "dtype": "Float", "Group size": 8,
            "Process Group Name": "0", "Seq": sequence}


def cache_emptied():
    """torch.cuda.empty_cache() after each step: a dozen blocks are given back, and asked for again."""
    trace = Trace()
    for _ in range(6):
        with trace.step():
            for _ in range(12):
                with trace.operator("aten::empty"):
                    trace.call("cudaMalloc", 150 * US)
                products(trace, 2, 300 * US)
            updated(trace)
            trace.synchronise("cudaDeviceSynchronize")
            for _ in range(12):
                trace.call("cudaFree", 120 * US)
    return trace


def anomaly_detection():
    """Each gradient is searched for NaN, and the answer read."""
    trace = Trace()
    for _ in range(6):
        with trace.step():
            products(trace, 20, 100 * US)
            for _ in range(20):
                with trace.operator("autograd::engine::evaluate_function: MmBackward0"):
                    products(trace, 1, 100 * US)
                    with trace.operator("aten::isnan"):
                        trace.kernel(SMALL, 5 * US)
                    with trace.operator("aten::_is_any_true"):
                        trace.kernel(SMALL, 5 * US)
                    with trace.operator("aten::item"), trace.operator("aten::_local_scalar_dense"):
                        trace.copy("DtoH (Device -> Pageable)", 1, 2 * US)
                        trace.synchronise()
                        trace.work(0.03)
            updated(trace)
    return trace


def loader_after_a_wait():
    """The loop waits for the device, and then makes a batch in its own thread."""
    trace = Trace()
    for _ in range(6):
        with trace.step():
            trace.next_batch(20, "_SingleProcessDataLoaderIter")
            products(trace, 40, 300 * US)
            updated(trace)
            trace.synchronise("cudaDeviceSynchronize")
    return trace


def tensors_made_on_the_host():
    """Random numbers are drawn on the CPU, and two kernels use them: what is slow is neither a launch nor the copy."""
    trace = Trace()
    for _ in range(5):
        with trace.step():
            for _ in range(2):
                with trace.operator("aten::randn"), trace.operator("aten::normal_"):
                    trace.work(5)
                with trace.operator("aten::to"), trace.operator("aten::_to_copy"), trace.operator("aten::copy_"):
                    trace.waiting_copy("HtoD (Pageable -> Device)", 4 << 20, 350 * US)
            with trace.operator("aten::add"):
                trace.kernel(SMALL, 2 * MS)
            with trace.operator("aten::zeros"), trace.operator("aten::fill_"):
                trace.kernel(SMALL, 2 * US)
            trace.synchronise()
    return trace


def memory_not_kept():
    """Without PyTorch's cache each operator asks the device for memory and gives it back, which waits. No step is marked."""
    trace = Trace()
    for _ in range(300):
        with trace.operator("aten::mm"):
            trace.call("hipMalloc", 8 * US)
            trace.kernel(GEMM, 40 * US)
            for length in (300, 1100, 230):
                trace.call("hipFree", length * US)
    return trace


def marks_that_are_outrun():
    """Only the device was recorded: the one mark is over before it begins."""
    trace = Trace()
    with trace.step():
        trace.work(0.03)
    for _ in range(60):
        with trace.operator("aten::mm", [[4096, 2048], [2048, 4096]]):
            trace.kernel("ampere_sgemm_128x128_nn", 1500 * US)
    trace.rows = [row for row in trace.rows if '"cpu_op"' not in row[2] and '"cuda_runtime"' not in row[2]]
    return trace


def few_launches_of_a_start():
    """Eight kernels: the first launch of each loads it, so that no usual time of a launch can be seen."""
    trace = Trace()
    trace.call("cudaFree", 16 * MS)
    for number, length in enumerate((17600, 8700, 6800, 4300, 10, 9, 12, 10)):
        with trace.operator("aten::mm"):
            trace.kernel(f"{GEMM}_{min(number, 3)}", 30 * US, call=length * US)
    trace.work(8)
    trace.synchronise()
    return trace


def frames_of_python():
    """Recorded with_stack: the frames say where the time goes that no operator explains."""
    trace = Trace()
    for _ in range(4):
        with trace.step(), trace.row("train.py(40): main", "python_function"):
            with trace.row("videos.py(129): preprocess", "python_function"):
                trace.work(60)
            products(trace, 12, 3 * MS)
            trace.synchronise()
    return trace


def rank_of_a_split_layer():
    """Tensor parallel: halves of each layer are summed over the ranks, forward and backward."""
    trace = Trace(rank=0, ranks=8)
    for step in range(4):
        with trace.step():
            for number in range(24):
                products(trace, 2, 300 * US)
                with trace.row("_ReduceFromModelParallelRegion"), trace.operator("c10d::allreduce_"):
                    trace.kernel(ALL_REDUCE, 900 * US, stream=COMMUNICATION, blocks=24, **{
                        "Collective name": "allreduce", "In msg nelems": 1 << 22, "Out msg nelems": 1 << 22, "dtype": "Half",
                        "Group size": 8, "Process Group Name": "0", "Seq": 24 * step + number})
                trace.free[7] = max(trace.free.values())
            updated(trace)
            trace.synchronise()
    return trace


def cpu_given_away():
    """Another program takes the CPU for 6 ms in three of eight steps."""
    trace = Trace(devices=0)
    for step in range(8):
        with trace.step():
            trace.next_batch()
            for name in ("forward", "backward", "Optimizer.step#SGD.step"):
                with trace.row(name), trace.operator("aten::mm"):
                    trace.work(5)
            trace.work(6 if step in (1, 2, 5) else 0.01)
    return trace


def batches_made_in_the_loop():
    """The script reads and turns images in the training thread, without a range of its own."""
    trace = Trace(devices=0)
    for _ in range(6):
        with trace.step():
            trace.work(20)
            with trace.operator("aten::stack"):
                trace.work(0.2)
            with trace.row("forward"), trace.operator("aten::conv2d"):
                trace.work(3)
            with trace.row("backward"), trace.operator("aten::convolution_backward"):
                trace.work(6)
            with trace.row("Optimizer.step#SGD.step"), trace.operator("aten::_foreach_add_"):
                trace.work(0.4)
    return trace


def training_without_marks():
    """No schedule, and no step is marked: the first step starts the program up; all make their batch in the thread that trains."""
    trace = Trace()
    for step in range(8):
        trace.next_batch(20, "_SingleProcessDataLoaderIter")
        if step == 0:
            trace.call("cudaFree", 700 * MS)
            products(trace, 1, 300 * US, call=400 * MS)
        products(trace, 39, 300 * US)
        updated(trace)
        trace.synchronise()
    return trace


def server_between_replays():
    """Each token is one replay of a graph; the server's scheduler takes longer than the device."""
    trace = Trace()
    for _ in range(12):
        trace.work(9)
        with trace.operator("aten::copy_"):
            trace.copy("HtoD (Pinned -> Device)", 4096, 2 * US)
        correlation = trace.call("cudaGraphLaunch", 300 * US)
        for _ in range(200):
            trace.enqueue("kernel", GEMM, correlation, 20 * US, 7,
                          {"graph node id": 1, "blocks per SM": 8, "warps per SM": 64, "grid": [1056, 1, 1], "block": [256, 1, 1],
                           "est. achieved occupancy %": 50})
        with trace.operator("aten::copy_"):
            trace.waiting_copy("DtoH (Device -> Pageable)", 128, 2 * US)
    return trace


WINDOW_TRACES = {"start-of-a-program": start_of_a_program, "start-within-steps": start_within_steps,
                 "captured-graph": captured_graph, "second-empty-cycle": second_empty_cycle,
                 "training-without-marks": training_without_marks, "server-between-replays": server_between_replays,
                 "server-window": server_window, "server-that-waits": server_that_waits,
                 "gpu-not-watched": gpu_not_watched, "launches-beside-the-optimizer": launches_beside_the_optimizer,
                 "rank-of-a-pipeline": rank_of_a_pipeline,
                 "reduction-of-each-micro-batch": functools.partial(micro_batches, True),
                 "reduction-of-the-last-micro-batch": functools.partial(micro_batches, False),
                 "more-sent-than-computed": more_sent_than_computed,
                 "cache-emptied": cache_emptied, "anomaly-detection": anomaly_detection,
                 "loader-after-a-wait": loader_after_a_wait,
                 "tensors-made-on-the-host": tensors_made_on_the_host,
                 "memory-not-kept": memory_not_kept,
                 "marks-that-are-outrun": marks_that_are_outrun,
                 "few-launches-of-a-start": few_launches_of_a_start,
                 "frames-of-python": frames_of_python,
                 "cpu-given-away": cpu_given_away, "batches-made-in-the-loop": batches_made_in_the_loop,
                 "rank-of-a-split-layer": rank_of_a_split_layer}
