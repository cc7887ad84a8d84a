#include "trace/metric/repeated_backward.h"

#include "found.h"
#include "trace_text.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::metric {
namespace {

using profile::read_events;
using profile::row;

std::string step(int number, int begin) {
  return row(
      "user_annotation", "ProfilerStep#" + std::to_string(number), std::to_string(begin), "1000");
}

std::string operator_with(const std::string& args, const std::string& name, int begin, int length) {
  return "," + row("cpu_op", name, std::to_string(begin), std::to_string(length), args);
}

// A function of the backward pass, for the operator of the forward pass with that number.
std::string function(const std::string& node, int number, int begin, int length) {
  return operator_with(R"("Fwd thread id": 1, "Sequence number": )" + std::to_string(number),
                       "autograd::engine::evaluate_function: " + node,
                       begin,
                       length);
}

std::vector<Metric> metrics_of(const std::string& events) {
  const profile::Timeline timeline = read_events(events);
  return repeated_backward(examine(timeline));
}

TEST(RepeatedBackward, IsTheTimeOfFunctionsThatRunAgain) {
  const auto metrics = metrics_of(
      step(1, 0) + function("MmBackward0", 7, 100, 50) + function("MmBackward0", 6, 150, 50) +
      function("MmBackward0", 8, 300, 10) +  // the head of another loss
      function("MmBackward0", 6, 400, 40) + function("MmBackward0", 6, 500, 60) + "," +
      step(2, 1000) + function("MmBackward0", 16, 1100, 50) +
      function("MmBackward0", 17, 1200, 50));
  EXPECT_DOUBLE_EQ(value(metrics, "repeated_backward_count"),
                   1);  // 2 in the first, 0 in the second
  EXPECT_DOUBLE_EQ(value(metrics, "repeated_backward_ratio"), 0.05);
}

TEST(RepeatedBackward, OnADeviceIsTheTimeOfItsKernels) {
  const auto metrics = metrics_of(
      step(1, 0) + function("MmBackward0", 6, 100, 50) + function("MmBackward0", 6, 200, 50) + "," +
      row("cuda_runtime", "cudaLaunchKernel", "210", "5", R"("correlation": 3)") + "," +
      row("kernel", "gemm", "300", "200", R"("correlation": 3, "device": 0)"));
  EXPECT_DOUBLE_EQ(value(metrics, "repeated_backward_ratio"), 0.2);
}

TEST(RepeatedBackward, SharedParametersAndOtherThreadsAreNoRepeats) {
  const auto metrics =
      metrics_of(step(1, 0) + function("torch::autograd::AccumulateGrad", 6, 100, 50) +
                 function("torch::autograd::AccumulateGrad", 6, 200, 50) +
                 function("MmBackward0", 6, 300, 50) +
                 operator_with(R"("Fwd thread id": 2, "Sequence number": 6)",
                               "autograd::engine::evaluate_function: MmBackward0",
                               400,
                               50));
  EXPECT_DOUBLE_EQ(value(metrics, "repeated_backward_count"), 0);
  EXPECT_DOUBLE_EQ(value(metrics, "repeated_backward_ratio"), 0);
}

TEST(RepeatedBackward, IsNotKnownOfGradientsOfGradients) {
  const auto metrics =
      metrics_of(step(1, 0) + function("MmBackward0", 6, 100, 50) +
                 operator_with(R"("Fwd thread id": 0, "Sequence number": 9)", "aten::mm", 110, 20) +
                 function("MmBackward0", 6, 200, 50));
  EXPECT_EQ(reason(metrics, "repeated_backward_ratio"), "the backward pass records a graph itself");
}

TEST(RepeatedBackward, NeedsTheNumbersOfOperators) {
  const auto metrics = metrics_of(
      step(1, 0) + operator_with("", "autograd::engine::evaluate_function: MmBackward0", 100, 50));
  EXPECT_EQ(reason(metrics, "repeated_backward_count"),
            "no function of a backward pass names its operator");
}

}  // namespace
}  // namespace tune::metric
