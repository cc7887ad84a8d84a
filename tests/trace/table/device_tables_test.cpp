// Kernels and copies.

#include "trace/kernel_names.h"
#include "trace/table/copy_table.h"
#include "trace/table/kernel_table.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::table {
namespace {

using profile::tensor_core_use;
using profile::TensorCoreUse;

TEST(KernelTable, SumsByName) {
  WrittenTimeline written;
  written.op("aten::mm", 0, 40);
  written.call("cudaLaunchKernel", 10, 5, 1);
  written.call("cudaLaunchKernel", 20, 5, 2);
  written.op("aten::bmm", 50, 40);
  written.call("cuLaunchKernel", 60, 5, 3);
  written.kernel("sm90_xmma_gemm_f16", 100, 30, 1, 0.5F, 1);
  written.kernel("sm90_xmma_gemm_f16", 130, 10, 2, 0.25F, 3);
  written.kernel("sm90_xmma_gemm_f16",
                 150,
                 20,
                 3,
                 std::numeric_limits<float>::quiet_NaN(),
                 std::numeric_limits<float>::quiet_NaN());
  written.kernel("vectorized_elementwise", 180, 60, 99);
  const Table table = kernel_table(written.input());
  ASSERT_EQ(table.rows.size(), 2U);
  const char* const kGemm = "sm90_xmma_gemm_f16";
  EXPECT_EQ(whole(table, kGemm, "count"), 3);
  EXPECT_EQ(whole(table, kGemm, "total_time"), 60'000);
  EXPECT_EQ(whole(table, kGemm, "mean_time"), 20'000);
  EXPECT_EQ(whole(table, kGemm, "min_time"), 10'000);
  EXPECT_EQ(whole(table, kGemm, "max_time"), 30'000);
  const Row& gemm = row_named(table, kGemm);
  EXPECT_EQ(cell(table, gemm, "time_ratio"), Cell(0.5));
  EXPECT_EQ(cell(table, gemm, "occupancy_ratio"), Cell((0.5 * 30 + 0.25 * 10) / 40));
  EXPECT_EQ(cell(table, gemm, "blocks_per_sm"), Cell((1.0 * 30 + 3.0 * 10) / 40));
  EXPECT_EQ(cell(table, gemm, "tensor_cores"), Cell("yes"));
  EXPECT_EQ(cell(table, gemm, "operator"), Cell("aten::mm and 1 more"));
  const Row& elementwise = row_named(table, "vectorized_elementwise");
  EXPECT_EQ(cell(table, elementwise, "tensor_cores"), Cell("no"));
  EXPECT_EQ(cell(table, elementwise, "operator"), Cell());
}

TEST(KernelTable, IsNotApplicableWithoutKernels) {
  WrittenTimeline written;
  written.op("aten::mm", 0, 40);
  EXPECT_FALSE(kernel_table(written.input()).is_applicable());
}

TEST(TensorCores, AreKnownByName) {
  for (const char* const name : {"volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn",
                                 "turing_h1688gemm_128x128_ldg8_stages_32x1_nn",
                                 "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x6_tn",
                                 "cutlass_80_tensorop_f16_s16816gemm_f16_256x128_32x3_nn_align8",
                                 "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT",
                                 "void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128>>",
                                 "cudnn_generated_fort_native_sdpa_sm90_knob_7",
                                 "Cijk_Ailk_Bljk_HHS_BH_MT128x128x16_MI32x32x8x1_SE_K1"}) {
    EXPECT_EQ(tensor_core_use(name), TensorCoreUse::yes) << name;
  }
  for (const char* const name : {"volta_sgemm_128x64_nn",
                                 "triton_poi_fused_add_cos_sin_0",
                                 "Cijk_Ailk_Bljk_SB_MT64x64x8_SE_K1",
                                 "void at::native::vectorized_elementwise_kernel<4>"}) {
    EXPECT_EQ(tensor_core_use(name), TensorCoreUse::no) << name;
  }
  EXPECT_EQ(tensor_core_use("triton_tem_fused_mm_3"), TensorCoreUse::unknown);
}

TEST(TensorCores, PatternsTakeAnyCaseAndStars) {
  EXPECT_TRUE(profile::matches_pattern("aHMMAb", "hmma"));
  EXPECT_TRUE(profile::matches_pattern("xmma_fprop_tensor", "FPROP*tensor"));
  EXPECT_FALSE(profile::matches_pattern("tensor_xmma_fprop", "fprop*tensor"));
}

TEST(CopyTable, SumsByKindAndMemories) {
  WrittenTimeline written;
  const char* const kPageable = "Memcpy HtoD (Pageable -> Device)";
  written.call("cudaMemcpyAsync", 0, 100, 1);
  written.call("cudaMemcpyAsync", 200, 300, 2);
  written.copy(kPageable, 10, 40, 1, 1'000'000);
  written.copy(kPageable, 210, 60, 2, 3'000'000);
  written.copy("Memcpy DtoH (Device -> Pinned)", 300, 5, 77, profile::kUnknownNumber);
  const Table table = copy_table(written.input());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(whole(table, kPageable, "count"), 2);
  EXPECT_EQ(whole(table, kPageable, "bytes"), 4'000'000);
  EXPECT_EQ(whole(table, kPageable, "device_time"), 100'000);
  EXPECT_EQ(whole(table, kPageable, "host_time"), 400'000);
  EXPECT_EQ(cell(table, row_named(table, kPageable), "bandwidth"), Cell(4e10));
  const Row& unknown = row_named(table, "Memcpy DtoH (Device -> Pinned)");
  for (const char* const column : {"bytes", "bandwidth", "host_time"}) {
    EXPECT_EQ(cell(table, unknown, column), Cell()) << column;
  }
}

TEST(CopyTable, CountsACallThatIssuesManyCopiesOnce) {
  WrittenTimeline written;
  written.call("cudaGraphLaunch", 0, 50, 1);
  written.copy("Memcpy DtoD (Device -> Device)", 60, 5, 1, 8);
  written.copy("Memcpy DtoD (Device -> Device)", 70, 5, 1, 8);
  const Table table = copy_table(written.input());
  EXPECT_EQ(whole(table, "Memcpy DtoD (Device -> Device)", "host_time"), 50'000);
}

TEST(CopyTable, IsNotApplicableWithoutCopies) {
  WrittenTimeline written;
  written.op("aten::mm", 0, 40);
  EXPECT_FALSE(copy_table(written.input()).is_applicable());
}

}  // namespace
}  // namespace tune::table
