#include "trace/metric/matrix_products.h"

#include "found.h"
#include "product_steps.h"
#include "trace/metric/tensor_core_ratio.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

TEST_F(Steps, MisalignedProductsAreOfSixteenBitsAndNoMultipleOfEight) {
  product("aten::mm", "gemm_a", 30, "[[64,1001],[1001,64]]", kHalf);
  product("aten::mm", "gemm_b", 50, "[[64,1008],[1008,64]]", kHalf);
  product("aten::mm", "gemm_c", 20, "[[64,1001],[1001,64]]", kFloat);
  const auto metrics = matrix_product_ratios(input());
  EXPECT_DOUBLE_EQ(value(metrics, "misaligned_gemm_ratio"), 0.3);
}

TEST_F(Steps, KernelsTellTheirAlignmentBetterThanShapesDo) {
  product("aten::mm", "cutlass_wmma_align8", 30, "[[141,512],[512,512]]", kHalf);
  product("aten::foo", "cutlass_tensorop_f16_align1", 10, "", "");
  EXPECT_DOUBLE_EQ(value(matrix_product_ratios(input()), "misaligned_gemm_ratio"), 0.25);
}

TEST_F(Steps, AnAlignmentOfSixteenIsNoneOfOne) {
  product("aten::mm",
          "cutlass_80_tensorop_f16_s16816gemm_f16_tn_align16",
          30,
          "[[60,7],[7,60]]",
          kHalf);
  product("aten::mm", "cutlass_80_tensorop_f16_s16816gemm_f16_tn_align2>(Params)", 10, "", "");
  product("aten::mm", "cutlass_80_simt_sgemm_128x64_8x5_nt_align1", 60, "", "");  // no tensor cores
  EXPECT_DOUBLE_EQ(value(matrix_product_ratios(input()), "misaligned_gemm_ratio"), 0.1);
}

TEST_F(Steps, HowManyRowsAProductHasMisalignsNothing) {
  product("aten::mm", "gemm_a", 40, "[[1,4096],[4096,4096]]", kBf16);
  product("aten::bmm", "gemm_b", 20, "[[3,5,64],[3,64,128]]", kBf16);
  product("aten::bmm", "gemm_c", 10, "[[3,8,64],[3,64,13]]", kBf16);  // one row of the second
  product("aten::addmm",
          "gemm_d",
          30,
          "[[1001],[7,512],[512,1008]]",
          R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16"])");
  EXPECT_DOUBLE_EQ(value(matrix_product_ratios(input()), "misaligned_gemm_ratio"), 0.1);
}

TEST_F(Steps, KernelsThatLoadEightAtATimeAreAligned) {
  product("aten::mm", "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_tn", 40, "[[8,9],[9,8]]", kBf16);
  product("aten::mm", "nvjet_tst_128x128_64x6_1x2_h_bz_NNT", 60, "[[8,9],[9,8]]", kBf16);
  EXPECT_DOUBLE_EQ(value(matrix_product_ratios(input()), "misaligned_gemm_ratio"), 0);
}

TEST_F(Steps, ProductsOfFloat64AreNothingForAutocast) {
  product("aten::mm", "ampere_dgemm_64x64_nn", 60, "[[8,8],[8,8]]", R"(["double","double"])");
  product("aten::mm", "sm80_xmma_gemm_f64f64_f64f64_f64_dgemm", 30, "", "");
  const auto wide = tensor_core_ratios(input());
  EXPECT_NE(reason(wide, "half_time_ratio").find("float64"), std::string::npos);
  EXPECT_EQ(value(wide, "eligible_ratio"), 0);
  EXPECT_EQ(value(wide, "double_time_ratio"), 1);
  product("aten::mm", "gemm", 10, "[[8,8],[8,8]]", kHalf);
  const auto mixed = tensor_core_ratios(input());
  EXPECT_EQ(value(mixed, "half_time_ratio"), 1);
  EXPECT_DOUBLE_EQ(value(mixed, "double_time_ratio"), 0.9);
  EXPECT_DOUBLE_EQ(value(mixed, "eligible_ratio"), 0.1);
}

// The range around a graph's launch is not the operator of its kernels.
TEST_F(Steps, KernelsOfGraphsAreOfNoKnownOperator) {
  product("aten::mm", "ampere_sgemm_32x32_tn", 20, "[[8,8],[8,8]]", kFloat);
  trace.host(Category::user_annotation, "replay", 600, 100);
  trace.call("cudaGraphLaunch", 610, 20, 77);
  trace.kernel("ampere_sgemm_128x64_tn", 640, 15, 77);
  trace.kernel("relu", 660, 1, 77);
  EXPECT_DOUBLE_EQ(value(tensor_core_ratios(input()), "gemm_conv_ratio"), 0.02);
  trace.kernel("ampere_sgemm_128x64_tn", 670, 60, 77);
  const auto metrics = tensor_core_ratios(input());
  for (const char* const name : {"gemm_conv_ratio", "eligible_ratio", "conv_ratio"}) {
    EXPECT_NE(reason(metrics, name).find("CUDA graphs"), std::string::npos) << name;
  }
  EXPECT_EQ(value(metrics, "tensor_core_time_ratio"), 0);
}

TEST_F(Steps, WhatMisalignedProductsMultiplyIsTold) {
  product("aten::mm", "gemm_a", 30, "[[64,1001],[1001,64],[]]", kHalf);
  const TraceInput all = input();
  ASSERT_EQ(misaligned_kernels(all).size(), 1U);
  EXPECT_EQ(product_shapes(all, misaligned_kernels(all).front()), "[64,1001] x [1001,64]");
}

TEST_F(Steps, Float32ProductsRunWithoutTensorCores) {
  product("aten::mm", "gemmSN_TN_kernel<float>", 100, "[[8,8],[8,8]]", kFloat);
  product("aten::bar", "ampere_sgemm_32x32_tn", 50, "", "");
  product("aten::mm", "sm80_xmma_gemm_f32f32_tf32f32", 60, "[[8,8],[8,8]]", kFloat);
  product("aten::conv2d", "implicit_convolve_sgemm", 60, "[[8,8],[8,8]]", kFloat);
  EXPECT_DOUBLE_EQ(value(matrix_product_ratios(input()), "fp32_gemm_ratio"), 0.15);
}

TEST_F(Steps, WithoutTypesNamesTellFloat32) {
  product("aten::mm",
          "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize256x64x8_stage3_warpsize2x2x1_ffma_"
          "aligna4_alignc4",
          100,
          "",
          "");
  product("aten::mm", "void gemmSN_TN_kernel<float, 128, 16, 2, 4, 10, 11, false>", 50, "", "");
  product("aten::mm", "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x6_tn", 50, "", "");
  product(
      "aten::addmm", "void cublasLt::splitKreduce_kernel<32, 16, int, float, float>", 50, "", "");
  product("aten::cudnn_convolution", "ampere_sgemm_64x64_nt", 50, "", "");
  EXPECT_DOUBLE_EQ(value(matrix_product_ratios(input()), "fp32_gemm_ratio"), 0.15);
}

TEST_F(Steps, TheTypesOfProductsTellTheirPrecision) {
  product("aten::mm", "gemm_a", 30, "", R"(["c10::BFloat16","c10::BFloat16"])");
  product("aten::mm", "gemm_b", 10, "", kHalf);
  product("aten::cudnn_convolution", "sm80_xmma_fprop_tf32f32_tensor16x8x8", 60, "", kFloat);
  product("aten::relu", "relu", 500, "", kHalf);
  const auto metrics = tensor_core_ratios(input());
  EXPECT_DOUBLE_EQ(value(metrics, "half_time_ratio"), 0.4);
  EXPECT_DOUBLE_EQ(value(metrics, "bf16_time_ratio"), 0.3);
}

TEST_F(Steps, WithoutTypesNamesTellThePrecision) {
  product("aten::mm", "void internal::gemvx::kernel<int, int, __nv_bfloat16, float>", 30, "", "");
  product("aten::bmm", "ampere_sgemm_128x64_tn", 60, "", "");
  product(
      "aten::_efficient_attention_forward", "fmha_cutlassF_f16_aligned_64x64_rf_sm80", 10, "", "");
  product("aten::mm", "triton_tem_fused_mm_3", 20, "", "");  // nobody knows
  EXPECT_DOUBLE_EQ(value(tensor_core_ratios(input()), "half_time_ratio"), 0.4);
}

TEST_F(Steps, APrecisionThatNothingTellsIsNotKnown) {
  product("aten::mm", "gemm", 30, "", "");
  EXPECT_NE(reason(tensor_core_ratios(input()), "half_time_ratio").find("record_shapes"),
            std::string::npos);
}

TEST_F(Steps, OnTheCpuOperatorsTellThePrecisionByTheirOwnTime) {
  op("aten::linear", 0, 100, "", kFloat);  // autocast converts within
  op("aten::addmm", 10, 90, "", R"(["c10::BFloat16","c10::BFloat16"])");
  EXPECT_DOUBLE_EQ(value(tensor_core_ratios(input()), "half_time_ratio"), 0.9);
}

TEST_F(Steps, ProductsWithoutTypesAreNotKnown) {
  product("aten::mm", "gemm", 100, "", "");
  const auto metrics = matrix_product_ratios(input());
  EXPECT_NE(reason(metrics, "misaligned_gemm_ratio").find("record_shapes"), std::string::npos);
  EXPECT_NE(reason(metrics, "fp32_gemm_ratio").find("record_shapes"), std::string::npos);
}

TEST_F(Steps, ATraceWithoutProductsHasNone) {
  product("aten::relu", "relu", 100, "", "");
  EXPECT_EQ(value(matrix_product_ratios(input()), "misaligned_gemm_ratio"), 0);
  EXPECT_EQ(value(matrix_product_ratios(input()), "fp32_gemm_ratio"), 0);
}

TEST_F(Steps, OnTheCpuConvolutionsAndProductsAreOperators) {
  trace.op("aten::conv2d", 0, 100);
  trace.op("aten::convolution", 10, 80);
  trace.op("aten::addmm", 200, 50);
  const auto metrics = tensor_core_ratios(input());
  EXPECT_DOUBLE_EQ(value(metrics, "conv_ratio"), 0.1);
  EXPECT_DOUBLE_EQ(value(metrics, "gemm_conv_ratio"), 0.15);
  EXPECT_EQ(reason(metrics, "tensor_core_ratio"), "the trace has rows of the CPU alone");
}

}  // namespace
}  // namespace tune::metric
