"""Trainings with one problem, or with what looks like one, as PyTorch's profiler for Python records them."""

from python_training import A100, ADD, CPU, FUSED_ADAMW, V100, Training
from trace_rows import H100, MS, US

TF32_CONV = {way: f"sm80_xmma_{way}_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_stage4_warpsize2x2x1_g1"
                  "_tensor16x8x8_kernel_cudnn" for way in ("fprop", "dgrad", "wgrad")}
SGEMM = {layout: f"ampere_sgemm_128x64_{layout}" for layout in ("tn", "nn", "nt")}
FFMA = ("sm80_xmma_gemm_f32f32_f32f32_f32_{}_n_tilesize256x64x8_stage3_warpsize2x2x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas")
FMHA = ("fmha_cutlassF_f32_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<float, cutlass::arch::Sm80, true, 64, 64, 64, "
        "true, true>::Params)")
FMHA_BACK = FMHA.replace("fmha_cutlassF_f32_aligned_64x64_rf_sm80", "fmha_cutlassB_f32_aligned_64x64_k64_sm80")
GEMV = ("std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, "
        "false, true, true, false, 7, false, cublasGemvParamsEx<int, cublasGemvTensorStridedBatched<__nv_bfloat16 const>, "
        "cublasGemvTensorStridedBatched<__nv_bfloat16 const>, cublasGemvTensorStridedBatched<__nv_bfloat16>, float> >")
BF16 = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_{}"
HALF_CONV = {way: f"volta_fp16_s884cudnn_fp16_128x128_ldg8_{way}_f2f_exp_interior_nhwc_tt_v1" for way in ("relu", "dgrad", "wgrad")}
BATCH_NORM = "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, int, 512, true, 1, true>(cudnnTensorStruct, float const*)"
REDUCE = ("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::func_wrapper_t<float, "
          "at::native::sum_functor<float, float, float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, "
          "float, 4> >")
CAST = ("void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::"
        "operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul>, 4, "
        "TrivialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, unsigned int>, at::native::memory::LoadWithCast<1>, "
        "at::native::memory::StoreWithCast<1> >")
ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
LOADER = "_SingleProcessDataLoaderIter"
IMAGES = [[64, 64, 56, 56], [64, 64, 3, 3], [], [], [], [], []]
CONTIGUOUS = [[200704, 3136, 56, 1], [576, 9, 3, 1], [], [], [], [], []]
CUDNN = ("aten::convolution", "aten::_convolution", "aten::cudnn_convolution")


def product(length, flop_rate):
    """A bias and the shapes whose product takes so long at four fifths of what the device can do."""
    depth = max(64, round(0.8e-9 * flop_rate * length / (2 * 4096 * 4096) / 64) * 64)
    return [[4096], [4096, depth], [depth, 4096]]


def busy_product(trace, length=1 * MS, kernel=BF16, types="c10::BFloat16", count=12, host=100 * US, parameters=1):
    """Linear layers: the device needs much longer than the host."""
    flop_rate = 312e12 if kernel == BF16 else 125e12  # A100, else V100
    for _ in range(count):
        trace.forward("aten::linear", "AddmmBackward0", [(kernel.format("tn"), length)], inside=("aten::addmm",), types=types, host=host,
                      parameters=parameters, dims=product(length, flop_rate),
                      back=[("aten::mm", [(kernel.format("nn"), length)]), ("aten::mm", [(kernel.format("nt"), length)])])


def a100_fp32_convolutions():
    """Nobody asked for TF32: cuDNN takes it by itself. The loss is read, and autocast would halve what is left."""
    trace = Training(A100)
    for _ in range(5):
        with trace.step():
            trace.next_batch()
            trace.to_device(9633792, 400 * US, pinned=True)
            trace.zero_grad("SGD")
            for _ in range(16):
                trace.forward("aten::conv2d", "ConvolutionBackward0", [(TF32_CONV["fprop"], 900 * US)], inside=CUDNN, dims=IMAGES,
                              back=[("aten::convolution_backward", [(TF32_CONV["dgrad"], 900 * US), (TF32_CONV["wgrad"], 900 * US)])])
                trace.forward("aten::batch_norm", "CudnnBatchNormBackward0", [(BATCH_NORM, 100 * US)], dims=[[64, 64, 56, 56]],
                              back=[("aten::cudnn_batch_norm_backward", [(BATCH_NORM, 150 * US)])])
            trace.backward()
            trace.optimizer("SGD", [("aten::_foreach_add_", [(FUSED_ADAMW, 200 * US)])])
            trace.read_loss()
    return trace


def a100_fp32_attention():
    """Float32 without TF32; attention by the kernel that saves memory; half the products by the kernel of CUDA 12 without tensor cores.
    Shapes are not recorded."""
    trace = Training(A100, shapes=False)
    for _ in range(4):
        with trace.step():
            trace.zero_grad()
            for layer in range(8):
                ways = SGEMM if layer % 2 else {way: FFMA.format(way) for way in SGEMM}
                trace.forward("aten::linear", "AddmmBackward0", [(ways["tn"], 1 * MS)], inside=("aten::addmm",),
                              back=[("aten::mm", [(ways["nn"], 1 * MS)]), ("aten::mm", [(ways["nt"], 1 * MS)])])
                trace.forward("aten::scaled_dot_product_attention", "ScaledDotProductEfficientAttentionBackward0", [(FMHA, 500 * US)],
                              inside=("aten::_scaled_dot_product_efficient_attention", "aten::_efficient_attention_forward"),
                              back=[("aten::_efficient_attention_backward", [(FMHA_BACK, 900 * US)])], parameters=0)
            trace.backward()
            trace.fused_adamw()
            trace.read_loss()
    return trace


def bf16_vectors():
    """Everything is bfloat16 already; vectors go through kernels without tensor cores. Shapes are not recorded."""
    trace = Training(H100, shapes=False)
    for _ in range(4):
        with trace.step():
            trace.zero_grad()
            for _ in range(12):
                trace.forward("aten::linear", "MmBackward0", [(GEMV, 600 * US)], inside=("aten::matmul", "aten::mm"), host=20 * US,
                              back=[("aten::mm", [(GEMV, 600 * US)])])
            trace.backward()
            trace.fused_adamw()
            trace.read_loss()
    return trace


def loader_behind_the_device():
    """No workers, and a third of the host's time goes into the loader, while the device works on what is queued."""
    trace = Training(A100)
    trace.work_ahead()
    for _ in range(6):
        with trace.step():
            trace.wait_for_device()
            trace.next_batch(12, LOADER)
            trace.to_device(9633792, 400 * US, pinned=True)
            trace.zero_grad()
            busy_product(trace, host=500 * US)
            trace.backward(host=200 * US)
            trace.fused_adamw()
    return trace


def optimizer_behind_the_device():
    """AdamW goes from parameter to parameter and gradients are filled with zeros, all of it while the device works."""
    trace = Training(A100)
    trace.work_ahead()
    for _ in range(4):
        with trace.step():
            trace.wait_for_device()
            trace.next_batch()
            trace.to_device(9633792, 400 * US, pinned=True)
            busy_product(trace, 1200 * US)
            trace.backward()
            trace.optimizer("AdamW", [(name, [(ADD, 2 * US)]) for _ in range(60)
                                      for name in ("aten::mul_", "aten::lerp_", "aten::addcmul_", "aten::addcdiv_")])
            trace.zero_grad(parameters=60)
    return trace


def sgd_from_parameter_to_parameter():
    """Plain SGD with foreach=False: one short kernel a parameter, and the device waits for it."""
    trace = Training(V100)
    for _ in range(5):
        with trace.step():
            trace.next_batch()
            trace.zero_grad("SGD")
            busy_product(trace, 20 * US, "volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_{}", "c10::Half", 60, 20 * US, 4)
            trace.backward(host=40 * US)
            trace.optimizer("SGD", [("aten::add_", [(ADD, 3 * US)])] * 240, call=8 * US)
            trace.read_loss()
    return trace


def cpu_convolutions():
    """On the CPU: contiguous float32, AdamW from parameter to parameter."""
    trace = Training(CPU)
    for _ in range(4):
        with trace.step():
            trace.next_batch(0.5)
            trace.zero_grad()
            for _ in range(8):
                trace.forward("aten::conv2d", "ConvolutionBackward0", [("", 3 * MS)], dims=IMAGES, strides=CONTIGUOUS,
                              inside=("aten::convolution", "aten::_convolution", "aten::mkldnn_convolution"),
                              back=[("aten::convolution_backward", [("", 6 * MS)])])
            trace.backward()
            trace.clip_gradients()
            trace.optimizer("AdamW", [(name, [("", 60 * US)]) for _ in range(40)
                                      for name in ("aten::mul_", "aten::lerp_", "aten::addcmul_", "aten::addcdiv_")])
            trace.read_loss()
    return trace


def ddp_with_two_backends():
    """Tensors of the host go through gloo, those of the devices through NCCL."""
    trace = Training(A100, rank=0, ranks=4, backend="cpu:gloo,cuda:nccl")
    trace.devices = 4
    for _ in range(4):
        with trace.step():
            trace.next_batch()
            trace.zero_grad()
            with trace.row("DistributedDataParallel.forward"):
                busy_product(trace, host=60 * US)
            trace.backward()
            with trace.op("nccl:all_reduce"):
                trace.kernel(ALL_REDUCE, 200 * US, stream=20, **{"Collective name": "allreduce", "Group size": 4})
            trace.fused_adamw()
            trace.read_loss()
    return trace


def dynamic_padding():
    """Six steps, each as long as its longest sample; what comes for the first time takes longer. Shapes are not recorded."""
    trace = Training(A100, shapes=False)
    for step, length in enumerate((7, 9, 7, 8, 9, 5)):
        with trace.step():
            trace.next_batch()
            trace.zero_grad()
            for layer in range(10):
                trace.forward("aten::linear", "AddmmBackward0", [(BF16.format("tn"), 700 * US)], inside=("aten::addmm",),
                              host=5 * MS if layer == 0 and step in (1, 3, 5) else 60 * US, blocks=128 * length,
                              back=[("aten::mm", [(BF16.format("nn"), 700 * US)])])
            trace.backward(blocks=128 * length)
            trace.fused_adamw()
            trace.read_loss()
    return trace


def small_network_without_memory_rows():
    """Kernels of a few us, and nothing says how much memory is taken."""
    trace = Training(V100)
    for _ in range(5):
        with trace.step():
            trace.next_batch()
            trace.zero_grad()
            for _ in range(40):
                trace.forward("aten::linear", "AddmmBackward0", [("volta_fp16_s884gemm_fp16_64x64_ldg8_f2f_tn", 4 * US)], blocks=8,
                              inside=("aten::addmm",), dims=[[256], [32, 256], [256, 256]], types="c10::Half", host=25 * US,
                              back=[("aten::mm", [("volta_fp16_s884gemm_fp16_64x64_ldg8_f2f_nn", 4 * US)])])
            trace.backward(host=25 * US, blocks=8)
            trace.fused_adamw(20 * US)
    return trace


def batches_from_pageable_memory():
    """.to(device) without a range around it, gradients that are unscaled and clipped, an average of the weights: nobody logs anything."""
    trace = Training(A100)
    for _ in range(5):
        with trace.step():
            trace.next_batch()
            trace.to_device(154140672, 8 * MS, staging=30 * MS)
            trace.zero_grad()
            busy_product(trace, 700 * US, host=30 * US)
            trace.backward()
            with trace.op("aten::_amp_foreach_non_finite_check_and_unscale_"):
                trace.run([(ADD, 30 * US)])
            trace.clip_gradients(60)
            trace.fused_adamw()
            for _ in range(60):
                for name in ("aten::mul_", "aten::add_"):
                    trace.now += 5 * US
                    with trace.op(name):
                        trace.run([(ADD, 2 * US)])
            trace.read_loss()
    return trace


def saved_in_each_step():
    """The weights are copied to the host and written, and the loss is printed."""
    trace = Training(A100)
    for _ in range(4):
        with trace.step():
            trace.next_batch()
            trace.zero_grad()
            busy_product(trace, 700 * US, host=30 * US)
            trace.backward()
            trace.fused_adamw()
            trace.read_loss()
            with trace.op("aten::to"), trace.op("aten::_to_copy"), trace.op("aten::copy_"):
                trace.waiting_copy("DtoH (Device -> Pageable)", 100 << 20, 9 * MS)
            trace.work(20)
    return trace


def autocast_casts():
    """Autocast converts weights and activations in each step: that copies nothing for nothing. Shapes are not recorded."""
    trace = Training(A100, shapes=False)
    for _ in range(4):
        with trace.step():
            trace.next_batch()
            trace.zero_grad()
            for _ in range(12):
                with trace.op("aten::to"), trace.op("aten::_to_copy"), trace.op("aten::copy_"):
                    trace.run([(CAST, 300 * US)])
                trace.forward("aten::linear", "AddmmBackward0", [(BF16.format("tn"), 900 * US)], inside=("aten::addmm",), host=60 * US,
                              back=[("aten::mm", [(BF16.format("nn"), 900 * US)])])
            trace.backward()
            trace.fused_adamw()
            trace.read_loss()
    return trace


def launches_that_are_missing():
    """Two of five kernels have lost their launch: nobody can say what the device waited for."""
    trace = small_network_without_memory_rows()
    kept, seen = [], 0
    for row in trace.rows:
        seen += '"cudaLaunchKernel"' in row[2]
        if '"cudaLaunchKernel"' not in row[2] or seen % 5 < 3:
            kept.append(row)
    trace.rows = kept
    return trace


def biased_convolutions():
    """A bias before each batch normalisation. Shapes are not recorded."""
    trace = Training(V100, shapes=False)
    for _ in range(4):
        with trace.step():
            trace.next_batch()
            trace.zero_grad("SGD")
            for _ in range(10):
                trace.sequence += 1
                with trace.op("aten::conv2d", sequence=trace.sequence), trace.op("aten::convolution", sequence=trace.sequence):
                    with trace.op("aten::_convolution", sequence=trace.sequence):
                        with trace.op("aten::cudnn_convolution"):
                            trace.run([(HALF_CONV["relu"], 600 * US)])
                        with trace.op("aten::add_"):
                            trace.run([(ADD, 60 * US)])
                trace.tape.append(("ConvolutionBackward0", trace.sequence, [
                    ("aten::convolution_backward", [(HALF_CONV["dgrad"], 600 * US), (HALF_CONV["wgrad"], 600 * US)]),
                    ("aten::sum", [(REDUCE, 80 * US)])], None, "", 2, None))
                trace.forward("aten::batch_norm", "CudnnBatchNormBackward0", [(BATCH_NORM, 60 * US)],
                              back=[("aten::cudnn_batch_norm_backward", [(BATCH_NORM, 60 * US)])])
            trace.backward()
            trace.optimizer("SGD", [("aten::_foreach_add_", [(FUSED_ADAMW, 200 * US)])])
            trace.read_loss()
    return trace


PYTHON_TRACES = {"python-a100-fp32-convolutions": a100_fp32_convolutions, "python-a100-fp32-attention": a100_fp32_attention,
                 "python-bf16-vectors": bf16_vectors, "python-loader-behind-the-device": loader_behind_the_device,
                 "python-optimizer-behind-the-device": optimizer_behind_the_device,
                 "python-sgd-from-parameter-to-parameter": sgd_from_parameter_to_parameter, "python-cpu-convolutions": cpu_convolutions,
                 "python-ddp-with-two-backends": ddp_with_two_backends, "python-dynamic-padding": dynamic_padding,
                 "python-small-network": small_network_without_memory_rows,
                 "python-pageable-batches": batches_from_pageable_memory, "python-saved-in-each-step": saved_in_each_step,
                 "python-autocast-casts": autocast_casts, "python-missing-launches": launches_that_are_missing,
                 "python-biased-convolutions": biased_convolutions}
