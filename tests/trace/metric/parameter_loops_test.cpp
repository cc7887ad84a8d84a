#include "trace/metric/parameter_loops.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

constexpr int kParameters = 20;

// A step of 10 ms with an optimizer, whose backward pass stores 20 gradients of 4 x 4.
class ParameterLoops : public ::testing::Test {
 protected:
  ParameterLoops() {
    trace.host(Category::user_annotation, "ProfilerStep#1", 0, 10'000);
    trace.host(Category::user_annotation, "forward", 0, 100);
    for (int i = 0; i < kParameters; ++i) {
      const double at = 2000 + 10 * i;
      trace.op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", at, 9);
      sized("torch::autograd::AccumulateGrad", at + 1, 7, "[[4,4]]");
    }
    trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 8000, 1000);
  }

  void sized(const std::string& name, double start_us, double duration_us, const char* dims) {
    profile::Event& event = trace.op(name, start_us, duration_us);
    const profile::StringId text = trace.text(dims);
    trace.detail(event).input_dims = text;
  }
  void loop(const std::string& name, double start_us, int rounds, const char* dims = "[[4,4]]") {
    for (int i = 0; i < rounds; ++i) {
      sized(name, start_us + 10 * i, 5, dims);
    }
  }
  std::vector<Metric> metrics() { return parameter_loops(examine(trace.timeline())); }

  WrittenTimeline trace;
};

TEST_F(ParameterLoops, AreOperatorsForEachGradientAfterBackward) {
  loop("aten::linalg_vector_norm", 3000, kParameters);
  loop("aten::mul_", 4000, kParameters);
  const auto found = metrics();
  EXPECT_DOUBLE_EQ(value(found, "parameter_loop_count"), 40);
  EXPECT_DOUBLE_EQ(value(found, "parameter_loop_ratio"), 0.1195) << "3000 to 4195 us";
  EXPECT_DOUBLE_EQ(value(found, "parameter_detach_count"), 0);
}

TEST_F(ParameterLoops, CountWhatStateDictCalls) {
  loop("aten::detach", 9200, 2 * kParameters);
  EXPECT_DOUBLE_EQ(value(metrics(), "parameter_detach_count"), 40);
}

TEST_F(ParameterLoops, AreNoneBeforeBackward) {
  loop("aten::div", 500, 3 * kParameters);  // samples of a batch
  EXPECT_EQ(value(metrics(), "parameter_loop_count"), 0);
}

TEST_F(ParameterLoops, AreNoneOfFewerOperatorsThanGradients) {
  loop("aten::mul_", 3000, kParameters - 1);
  EXPECT_EQ(value(metrics(), "parameter_loop_count"), 0);
}

TEST_F(ParameterLoops, AreNoneOverTensorsOfOtherShapes) {
  loop("aten::eq", 3000, kParameters, "[[7]]");
  EXPECT_EQ(value(metrics(), "parameter_loop_count"), 0);
}

TEST_F(ParameterLoops, AreNoLayersAndNothingWithin) {
  loop("aten::linear", 3000, kParameters);
  trace.op("my::all", 5000, 500);
  loop("aten::mul_", 5001, kParameters);
  EXPECT_EQ(value(metrics(), "parameter_loop_count"), 0);
}

TEST_F(ParameterLoops, AreNoneOfAutogradsThreads) {
  for (int i = 0; i < kParameters; ++i) {
    trace.op("aten::mul", 3000 + 10 * i, 5, "autograd");
  }
  EXPECT_EQ(value(metrics(), "parameter_loop_count"), 0);
}

TEST_F(ParameterLoops, EndWhereAnotherPhaseBegins) {
  loop("aten::mul_", 7900, kParameters);  // half of them within the optimizer's step
  EXPECT_EQ(value(metrics(), "parameter_loop_count"), 0);
}

TEST_F(ParameterLoops, EndWhereAMillisecondPasses) {
  loop("aten::mul_", 3000, kParameters / 2);
  loop("aten::mul_", 4200, kParameters / 2);
  EXPECT_EQ(value(metrics(), "parameter_loop_count"), 0);
}

TEST_F(ParameterLoops, OnADeviceTakeWhatTheirKernelsDoAndTheHostAlone) {
  loop("aten::mul_", 3000, kParameters);
  trace.call("cudaLaunchKernel", 3001, 2, 1);
  trace.kernel("mul", 3100, 195, 1);   // while the host is in the loop
  trace.kernel("other", 3000, 50, 2);  // of somebody else
  EXPECT_DOUBLE_EQ(value(metrics(), "parameter_loop_ratio"), 0.0245) << "3050 to 3295 us";
}

TEST(ParameterLoopsOf, ATraceWithoutGradientsAreNotKnown) {
  WrittenTimeline trace = table::marked_step(1000);
  trace.op("aten::mm", 0, 10);
  EXPECT_EQ(reason(parameter_loops(examine(trace.timeline())), "parameter_loop_ratio"),
            "no gradient is stored within a step (torch::autograd::AccumulateGrad)");
}

TEST(ParameterLoopsOf, ASmallModelAreNoneOfAFewOperators) {
  WrittenTimeline trace = table::marked_step(1000);
  trace.host(Category::user_annotation, "forward", 0, 10);
  trace.op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", 100, 9);
  trace.op("torch::autograd::AccumulateGrad", 101, 7);
  for (int i = 0; i < 15; ++i) {
    trace.op("aten::mul_", 200 + 10 * i, 5);
  }
  EXPECT_EQ(value(parameter_loops(examine(trace.timeline())), "parameter_loop_count"), 0);
}

}  // namespace
}  // namespace tune::metric
