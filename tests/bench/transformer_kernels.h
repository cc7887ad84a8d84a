#pragma once

#include "step_text.h"

namespace tune::bench {

/// A kernel as a transformer's training launches it, with a name of realistic length.
struct Kernel {
  const char* name;
  Ns mean_ns;
  int blocks;
};

constexpr Kernel kGemm = {
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_"
    "segment_k_off_kernel__5x_cublas",
    90 * kUs,
    512};
constexpr Kernel kElementwise = {
    "void at::native::vectorized_elementwise_kernel<4, "
    "at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType)::{lambda()#1}::operator()() const::{lambda()#4}::operator()() "
    "const::{lambda(c10::BFloat16)#1}, at::detail::Array<char*, 2> >(int, "
    "at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#1}, "
    "at::detail::Array<char*, 2>)",
    12 * kUs,
    4096};
constexpr Kernel kNorm = {
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, "
    "float>(int, float, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, "
    "float*, c10::BFloat16*)",
    9 * kUs,
    1024};
constexpr Kernel kAttention = {
    "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, "
    "false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<64, 128, 128, 4, "
    "cutlass::bfloat16_t> >, false, true, false, false, true, true, "
    "false>(pytorch_flash::Flash_fwd_params)",
    60 * kUs,
    768};
constexpr Kernel kOptimizer = {
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
    "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
    "namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>, float const*, "
    "double, double, double, double, double, bool, float*, float*>",
    150 * kUs,
    960};

}  // namespace tune::bench
