#include "trace/metric/model_flops.h"

#include "found.h"
#include "trace/metric/trace_metrics.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

constexpr const char* kHalves = R"(["c10::Half","c10::Half"])";
constexpr const char* kFloats = R"(["float","float"])";
constexpr const char* kSquare = "[[4096,4096],[4096,4096]]";
constexpr double kOfSquare = 2.0 * 4096 * 4096 * 4096;

profile::OpDetail& shaped(WrittenTimeline& trace,
                          const std::string& name,
                          double start_us,
                          const std::string& dims,
                          const std::string& types) {
  profile::OpDetail& detail = trace.detail(trace.op(name, start_us, 8));
  detail.input_dims = trace.text(dims);
  detail.input_types = trace.text(types);
  return detail;
}

void launch(WrittenTimeline& trace, double start_us, std::int64_t id, const std::string& kernel) {
  trace.call("cudaLaunchKernel", start_us + 1, 2, id);
  trace.kernel(kernel, start_us + 10, 500, id);
}

std::vector<Metric> metrics_of(WrittenTimeline& trace, const std::string& device) {
  if (!device.empty()) {
    trace.device(device);
  }
  return trace_metrics(examine(trace.timeline()));
}

// Two products in two steps of 1 ms: 137 TFLOP/s of the 989 that an H100 has.
TEST(ModelFlops, AreTheProductsOfAStepOverThePeak) {
  WrittenTimeline trace;
  for (int step = 0; step < 2; ++step) {
    const double begin_us = step * 1000;
    trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(step), begin_us, 1000);
    shaped(trace, "aten::mm", begin_us + 100, kSquare, kHalves);
    launch(trace, begin_us + 100, step + 1, "sm90_xmma_gemm_f16f16");
  }
  const auto metrics = metrics_of(trace, "NVIDIA H100 80GB HBM3");
  EXPECT_DOUBLE_EQ(value(metrics, "step_flops"), kOfSquare);
  EXPECT_NEAR(value(metrics, "mfu"), kOfSquare / 1e-3 / 989.4e12, 1e-9);
}

// Each type of numbers has its own peak: TF32 where a kernel of it uses tensor cores.
TEST(ModelFlops, AreMeasuredByThePeakOfTheirNumbers) {
  const auto mfu_with = [](const std::string& kernel) {
    WrittenTimeline trace;
    trace.host(Category::user_annotation, "ProfilerStep#0", 0, 10'000);
    shaped(trace, "aten::mm", 100, kSquare, kFloats);
    launch(trace, 100, 1, kernel);
    return value(metrics_of(trace, "NVIDIA A100-SXM4-40GB"), "mfu");
  };
  EXPECT_NEAR(mfu_with("ampere_sgemm_128x64_nn"), kOfSquare / 10e-3 / 19.5e12, 1e-9);
  EXPECT_NEAR(mfu_with("ampere_tf32_s1688gemm_128x64_nn"), kOfSquare / 10e-3 / 156e12, 1e-9);
}

// Forward 2 x 8 x 16 x 32 x 32 x (3 x 3 x 3) operations; backward as many for the weight, and as
// many again where the gradient of the input is asked for.
TEST(ModelFlops, CountConvolutionsBackward) {
  const auto flops_with = [](const std::string& mask) {
    WrittenTimeline trace;
    trace.host(Category::user_annotation, "ProfilerStep#0", 0, 1000);
    profile::OpDetail& back = shaped(trace,
                                     "aten::convolution_backward",
                                     300,
                                     "[[8,16,32,32],[8,3,34,34],[16,3,3,3]]",
                                     R"(["float","float","float"])");
    back.concrete_inputs = trace.text(
        R"(["","","","[16]","[1, 1]","[0, 0]","[1, 1]","False","[0, 0]","1",")" + mask + R"("])");
    return value(metrics_of(trace, ""), "step_flops");
  };
  const double forward = 2.0 * 8 * 16 * 32 * 32 * 27;
  EXPECT_DOUBLE_EQ(flops_with("[True, True, False]"), 2 * forward);
  EXPECT_DOUBLE_EQ(flops_with("[False, True, False]"), forward);
}

// Autocast calls an operator once more, with its inputs cast.
TEST(ModelFlops, CountTheInnermostCall) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#0", 0, 1000);
  const auto nested = [&](double start_us, double length_us, const char* types) {
    profile::OpDetail& detail = trace.detail(trace.op("aten::mm", start_us, length_us));
    detail.input_dims = trace.text(kSquare);
    detail.input_types = trace.text(types);
  };
  nested(100, 200, kFloats);
  nested(150, 100, kHalves);
  EXPECT_DOUBLE_EQ(value(metrics_of(trace, ""), "step_flops"), kOfSquare);
}

TEST(ModelFlops, SayWhyTheyAreNotKnown) {
  WrittenTimeline shapeless;
  shapeless.host(Category::user_annotation, "ProfilerStep#0", 0, 1000);
  shapeless.op("aten::mm", 100, 8);
  const auto none = metrics_of(shapeless, "NVIDIA L4");
  EXPECT_NE(reason(none, "step_flops").find("record_shapes"), std::string::npos);
  EXPECT_NE(reason(none, "mfu").find("record_shapes"), std::string::npos);

  WrittenTimeline unknown;
  unknown.host(Category::user_annotation, "ProfilerStep#0", 0, 1000);
  shaped(unknown, "aten::mm", 100, kSquare, kHalves);
  launch(unknown, 100, 1, "gemm");
  EXPECT_EQ(reason(metrics_of(unknown, "NVIDIA A2"), "mfu"), "peaks of NVIDIA A2 are not known");

  WrittenTimeline cpu;
  cpu.host(Category::user_annotation, "ProfilerStep#0", 0, 1000);
  shaped(cpu, "aten::mm", 100, kSquare, kFloats);
  EXPECT_NE(reason(metrics_of(cpu, ""), "mfu").find("CPU"), std::string::npos);
}

}  // namespace
}  // namespace tune::metric
