#include "trace/metric/roofline.h"

#include "found.h"
#include "trace/metric/trace_metrics.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

constexpr const char* kHalves = R"(["c10::BFloat16","c10::BFloat16"])";
constexpr const char* kFloats = R"(["float","float"])";

void multiply(WrittenTimeline& trace,
              const std::string& dims,
              const std::string& types,
              double start_us,
              double kernel_us,
              std::int64_t correlation,
              const std::string& kernel = "sm90_xmma_gemm_bf16bf16") {
  profile::OpDetail& detail = trace.detail(trace.op("aten::mm", start_us, 8));
  detail.input_dims = trace.text(dims);
  detail.input_types = trace.text(types);
  trace.call("cudaLaunchKernel", start_us + 1, 2, correlation);
  trace.kernel(kernel, start_us + 10, kernel_us, correlation);
}

std::vector<Metric> metrics_of(WrittenTimeline& trace, const std::string& device) {
  if (!device.empty()) {
    trace.device(device);
  }
  return trace_metrics(examine(trace.timeline()));
}

// 2 x 4096^3 operations in 1 ms: 137 TFLOP/s of the 989 that an H100 has.
TEST(Roofline, OfAGpuStandsInATableByItsName) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#0", 0, 4000);
  multiply(trace, "[[4096,4096],[4096,4096]]", kHalves, 100, 1000, 1);
  const auto metrics = metrics_of(trace, "NVIDIA H100 80GB HBM3");
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_flops"), 2.0 * 4096 * 4096 * 4096);
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_bytes"), 3.0 * 4096 * 4096 * 2);
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_call_time"), 1e-3);
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_share_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(value(metrics, "peak_flop_rate"), 989.4e12);
  EXPECT_NEAR(value(metrics, "roofline_efficiency_ratio"), 137.4 / 989.4, 1e-3);
}

// A thin product is bound by memory: 2 x 16 x 4096 x 4096 operations on 34 MB.
TEST(Roofline, BoundsAThinProductByItsBytes) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#0", 0, 4000);
  multiply(trace, "[[16,4096],[4096,4096]]", kHalves, 100, 100, 1);
  const auto metrics = metrics_of(trace, "NVIDIA A100-SXM4-80GB");
  const double bytes = (16.0 * 4096 + 4096.0 * 4096 + 16.0 * 4096) * 2;
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_bytes"), bytes);
  EXPECT_NEAR(value(metrics, "roofline_efficiency_ratio"), bytes / 2039e9 / 100e-6, 1e-9);
}

TEST(Roofline, LooksAtTheShapeThatLosesMost) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#0", 0, 10'000);
  multiply(trace, "[[8192,8192],[8192,8192]]", kHalves, 100, 1300, 1);  // near its bound
  multiply(trace, "[[512,512],[512,512]]", kHalves, 2000, 500, 2);      // far from it
  multiply(trace, "[[512,512],[512,512]]", kHalves, 4000, 500, 3);
  const auto metrics = metrics_of(trace, "NVIDIA H100 80GB HBM3");
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_flops"), 2.0 * 512 * 512 * 512);
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_share_ratio"), 0.1) << "both calls";
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_call_time"), 500e-6);
}

TEST(Roofline, OfFloatsIsThatOfTheUnitsThatTheKernelUses) {
  const auto peak_with = [](const std::string& kernel) {
    WrittenTimeline trace;
    trace.host(Category::user_annotation, "ProfilerStep#0", 0, 1000);
    multiply(trace, "[[512,512],[512,512]]", kFloats, 100, 100, 1, kernel);
    return value(metrics_of(trace, "NVIDIA A100-SXM4-40GB"), "peak_flop_rate");
  };
  EXPECT_DOUBLE_EQ(peak_with("ampere_sgemm_128x64_nn"), 19.5e12);
  EXPECT_DOUBLE_EQ(peak_with("ampere_tf32_s1688gemm_128x64_nn"), 156e12);
}

TEST(Roofline, OfAnUnknownGpuHasNoPeaks) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#0", 0, 1000);
  multiply(trace, "[[512,512],[512,512]]", kHalves, 100, 100, 1);
  const auto metrics = metrics_of(trace, "NVIDIA A2");
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_share_ratio"), 0.1);
  EXPECT_EQ(reason(metrics, "roofline_efficiency_ratio"), "peaks of NVIDIA A2 are not known");
}

// Autocast calls the operator once more, with its inputs cast: the inner call is what computes.
TEST(Roofline, OfTheCpuCountsTheInnermostCallAndLeavesThePeaksToTheProbe) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#0", 0, 1000);
  const auto shaped = [&](profile::Event& event, const char* types) {
    profile::OpDetail& detail = trace.detail(event);
    detail.input_dims = trace.text("[[64,64],[64,64]]");
    detail.input_types = trace.text(types);
  };
  shaped(trace.op("aten::mm", 100, 200), kFloats);
  trace.op("aten::to", 101, 20);
  shaped(trace.op("aten::mm", 150, 100), kHalves);
  const auto metrics = metrics_of(trace, "");
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_share_ratio"), 0.1);
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_bytes"), 3.0 * 64 * 64 * 2);
  EXPECT_NE(reason(metrics, "roofline_efficiency_ratio").find("tune probe"), std::string::npos);
}

TEST(Roofline, NeedsShapes) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#0", 0, 1000);
  trace.op("aten::mm", 100, 200);
  EXPECT_NE(reason(metrics_of(trace, ""), "kernel_flops").find("record_shapes"), std::string::npos);
}

TEST(ProductCost, OfAConvolutionHasItsResultAmongTheBytes) {
  const auto cost = product_cost("aten::conv2d",
                                 "[[2,3,8,8],[4,3,3,3],[4],[],[],[],[]]",
                                 R"(["float","float","float","","","","Scalar"])",
                                 R"(["","","","[1, 1]","[1, 1]","[1, 1]","1"])");
  ASSERT_TRUE(cost.has_value());
  EXPECT_DOUBLE_EQ(cost->operations, 2.0 * 2 * 8 * 8 * 3 * 3 * 3 * 4);
  EXPECT_DOUBLE_EQ(cost->bytes, (2.0 * 3 * 8 * 8 + 4 * 3 * 3 * 3 + 2 * 4 * 8 * 8) * 4);
  EXPECT_FALSE(product_cost("aten::mm", "[[2,2],[2,2]]", R"(["double","double"])", "[]"));
  EXPECT_FALSE(product_cost("aten::add", "[[2,2],[2,2]]", kFloats, "[]"));
  EXPECT_TRUE(has_product_cost("aten::addmm"));
}

}  // namespace
}  // namespace tune::metric
