#include "trace/metric/device_use.h"

#include "found.h"
#include "trace/metric/idle_time.h"
#include "trace/metric/product_precision.h"
#include "trace/metric/tensor_core_ratio.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

TEST(SmEfficiency, AddsUpWhatRunsAtTheSameTimeToOneAtMost) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100);
  trace.kernel("a", 0, 50, -1, 0.5F, 0.25F);
  trace.kernel("b", 20, 40, -1, 0.25F, 0.5F);
  trace.kernel("c", 80, 40, -1, 1, 3);  // 20 us of it lie within the step
  const TraceInput input = examine(trace.timeline());
  EXPECT_NEAR(*sm_efficiency(input).value, 0.525, 1e-12);
  EXPECT_DOUBLE_EQ(*small_grid_ratio(input).value, 90.0 / 110);
  EXPECT_DOUBLE_EQ(*occupancy(input).value, 0.5);
}

TEST(SmEfficiency, NeedsKernelsThatSayHowManyBlocksTheyHave) {
  WrittenTimeline trace;
  trace.kernel("a", 0, 50, -1, kUnknown, kUnknown);
  const TraceInput input = examine(trace.timeline());
  EXPECT_FALSE(sm_efficiency(input).is_applicable());
  EXPECT_FALSE(small_grid_ratio(input).is_applicable());
  EXPECT_FALSE(occupancy(input).is_applicable());
}

TEST(OperatorKind, IsToldByTheName) {
  EXPECT_EQ(operator_kind("aten::conv2d"), OperatorKind::convolution);
  EXPECT_EQ(operator_kind("aten::_convolution"), OperatorKind::convolution);
  EXPECT_EQ(operator_kind("aten::cudnn_convolution"), OperatorKind::convolution);
  EXPECT_EQ(operator_kind("aten::convolution_backward"), OperatorKind::convolution);
  EXPECT_EQ(operator_kind("aten::addmm_"), OperatorKind::matrix_product);
  EXPECT_EQ(operator_kind("aten::_cudnn_rnn_backward"), OperatorKind::recurrent);
  EXPECT_EQ(operator_kind("aten::_flash_attention_forward"), OperatorKind::attention);
  EXPECT_EQ(operator_kind("aten::add"), OperatorKind::other);
  EXPECT_EQ(operator_kind("aten::relu"), OperatorKind::other);
  EXPECT_EQ(operator_kind("mm"), OperatorKind::other);
}

void add_operator(WrittenTimeline& trace,
                  const std::string& name,
                  double begin_us,
                  std::int64_t correlation,
                  const std::string& kernel,
                  double kernel_us) {
  trace.op(name, begin_us, 90);
  trace.call("cudaLaunchKernel", begin_us + 10, 5, correlation);
  trace.kernel(kernel, begin_us + 20, kernel_us, correlation);
}

TEST(TensorCoreRatio, IsOfTheOperatorsThatCouldUseThem) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  add_operator(trace, "aten::mm", 0, 1, "sm80_xmma_gemm_f16", 30);
  add_operator(trace, "aten::cudnn_convolution", 100, 2, "implicit_convolve_sgemm", 10);
  add_operator(trace, "aten::relu", 200, 3, "elementwise", 20);
  trace.kernel("ampere_s16816gemm", 500, 40, -1);  // of no operator that the trace has
  const auto metrics = tensor_core_ratios(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "tensor_core_ratio"), 0.75);
  EXPECT_DOUBLE_EQ(value(metrics, "tensor_core_time_ratio"), 0.7);
  EXPECT_DOUBLE_EQ(value(metrics, "eligible_ratio"), 0.4);
  EXPECT_DOUBLE_EQ(value(metrics, "gemm_conv_ratio"), 0.04);
  EXPECT_DOUBLE_EQ(value(metrics, "conv_ratio"), 0.01);
}

TEST(TensorCoreRatio, NeedsOperatorsAndOneThatIsEligible) {
  WrittenTimeline without_operators;
  without_operators.kernel("hmma", 0, 10, -1);
  const auto alone = tensor_core_ratios(examine(without_operators.timeline()));
  EXPECT_DOUBLE_EQ(value(alone, "tensor_core_time_ratio"), 1);
  EXPECT_NE(reason(alone, "tensor_core_ratio"), "");
  EXPECT_NE(reason(alone, "eligible_ratio"), "");
  WrittenTimeline not_eligible;
  add_operator(not_eligible, "aten::relu", 0, 1, "elementwise", 20);
  const auto none = tensor_core_ratios(examine(not_eligible.timeline()));
  EXPECT_DOUBLE_EQ(value(none, "eligible_ratio"), 0);
  EXPECT_NE(reason(none, "tensor_core_ratio"), reason(alone, "tensor_core_ratio"));
}

WrittenTimeline one_long_gap() {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100'000);
  for (int i = 0; i < 10; ++i) {
    trace.kernel("k", 100.0 * i, 90, -1);  // and 10 us until the next
  }
  trace.kernel("k", 50'000, 10, -1);  // after 49,010 us
  return trace;
}

TEST(LongGaps, AreFiveTimesTheMedianAndAMillisecondAtLeast) {
  WrittenTimeline trace = one_long_gap();
  const auto metrics = gap_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "long_gap_count"), 1);
  EXPECT_NEAR(value(metrics, "long_gap_time"), 49.01e-3, 1e-12);
  EXPECT_NEAR(value(metrics, "long_gap_ratio"), 0.4901, 1e-12);
  EXPECT_NEAR(value(metrics, "gap_time_max"), 49.01e-3, 1e-12);
}

TEST(LongGaps, AreNamedAfterTheShortestRowThatCoversThem) {
  WrittenTimeline trace = one_long_gap();
  trace.host(Category::user_annotation, "epoch", 0, 60'000);
  trace.op("save", 1000, 48'000);
  trace.op("part of it", 1000, 3000);
  const auto gaps = long_gaps(examine(trace.timeline()));
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].host_row, "save");
  EXPECT_EQ(gaps[0].device, 0);
  EXPECT_EQ(gaps[0].interval, (profile::Interval{990'000, 50'000'000}));
}

TEST(LongGaps, WithoutARowHaveNoName) {
  WrittenTimeline trace = one_long_gap();
  const auto gaps = long_gaps(examine(trace.timeline()));
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].host_row, "");
}

}  // namespace
}  // namespace tune::metric
