// What names of kernels and types of operators tell of numbers.

#include "trace/kernel_names.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tune::profile {

namespace {

TEST(KernelPrecision, IsToldByNames) {
  const std::vector<std::pair<const char*, Precision>> known = {
      {"ampere_sgemm_128x64_tn", Precision::full},
      {"volta_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1", Precision::full},
      {"void cudnn::detail::dgrad_engine<float, 512, 6, 5, 3, 3, 3, false>(int)", Precision::full},
      {"sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tensor16x8x8",
       Precision::full},
      {"sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32_warpgroupsize2x1x1",
       Precision::full},
      {"cutlass__5x_cudnn::Kernel<cutlass_tensorop_s1688fprop_optimized_tf32_64x64_16x10_nhwc_"
       "align4>",
       Precision::full},
      {"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_256x128_16x3_nn_align4>",
       Precision::full},
      {"nvjet_sss_tf32_128x256_TNT", Precision::full},
      {"fmha_cutlassF_f32_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<float>)",
       Precision::full},
      {"sm80_xmma_gemm_f64f64_f64f64_f64_d884_dgemm", Precision::wide},
      {"ampere_dgemm_64x64_nn", Precision::wide},
      {"void gemmSN_TN_kernel<double, 128, 16, 2, 4, 10, 11, false>", Precision::wide},
      {"volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", Precision::fp16},
      {"volta_h884gemm_64x64_ldg8_nn", Precision::fp16},
      {"sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x32", Precision::fp16},
      {"void gemv2T_kernel_val<int, int, __half, __half, __half, float, 128, 16, 2, 4>",
       Precision::fp16},
      {"nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT", Precision::fp16},
      {"void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4>>", Precision::fp16},
      {"Cijk_Ailk_Bljk_HHS_BH_MT128x128x16_MI32x32x8x1_SE_K1", Precision::fp16},
      {"ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x6_tn", Precision::bf16},
      {"internal::gemvx::kernel<int, int, __nv_bfloat16, __nv_bfloat16, float>", Precision::bf16},
      {"cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<cutlass::bfloat16_t>>>",
       Precision::bf16},
      {"nvjet_tst_128x128_64x6_1x2_h_bz_NNT", Precision::bf16},
      {"nvjet_sm100_tst_64x16_64x16_2x4_2cta_h_bz_splitK_TNT", Precision::bf16},
      {"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64_MI16x16x1", Precision::bf16},
      {"cutlass::device_kernel<gemm::GemmUniversal<SM90_64x128x32_F32E4M3E4M3_SS_TN>>",
       Precision::fp8},
      {"triton_tem_fused_mm_3", Precision::unknown}};
  for (const auto& [name, precision] : known) {
    EXPECT_EQ(kernel_precision(name), precision) << name;
  }
}

TEST(InputPrecision, IsTheNarrowestOfTheTypes) {
  EXPECT_EQ(input_precision(R"(["float","float","Scalar"])"), Precision::full);
  EXPECT_EQ(input_precision(R"(["double","double"])"), Precision::wide);
  EXPECT_EQ(input_precision(R"(["double","float"])"), Precision::full);
  EXPECT_EQ(input_precision(R"(["c10::Half","c10::Half","float"])"), Precision::fp16);
  EXPECT_EQ(input_precision(R"(["c10::BFloat16"])"), Precision::bf16);
  EXPECT_EQ(input_precision(R"(["c10::Float8_e4m3fn","c10::BFloat16"])"), Precision::fp8);
  EXPECT_EQ(input_precision(R"(["long int"])"), Precision::unknown);
  EXPECT_EQ(input_precision(""), Precision::unknown);
}

// Which float32 kernels of the same families do not use them.
TEST(TensorCores, AreNotUsedByWhatTheNameSaysIsPlain) {
  for (const char* const name :
       {"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize256x64x8_stage3_warpsize2x2x1_ffma_aligna4",
        "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8",
        "cutlass3x_sm100_simt_sgemm_f32_f32_f32_f32_f32_64x32x16_1x1x1_3_ntn_align1",
        "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64_8x5_nt_align1>"}) {
    EXPECT_EQ(tensor_core_use(name), TensorCoreUse::no) << name;
  }
  for (const char* const name : {"sm90_xmma_dgrad_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_"
                                 "tilesize128x64x32_warpgroupsize"
                                 "1x1x1_g1_execute_segment_k_on_kernel__5x_cudnn",
                                 "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x16",
                                 "cutlass::device_kernel<flash::enable_sm90<flash::"
                                 "FlashAttnFwdSm90<cutlass::bfloat16_t>>>"}) {
    EXPECT_EQ(tensor_core_use(name), TensorCoreUse::yes) << name;
  }
}

}  // namespace

}  // namespace tune::profile
