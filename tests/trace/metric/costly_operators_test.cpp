// Metrics of operators that cost more than others which do the same.

#include "found.h"
#include "product_steps.h"
#include "trace/metric/costly_gradients.h"
#include "trace/metric/einsum_order.h"
#include "trace/metric/largest_operator.h"
#include "trace/metric/list_conversions.h"
#include "trace/metric/output_head.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

TEST_F(Steps, GradientsOfIndexedRowsTakeTheTimeOfTheirFunction) {
  trace.op("autograd::engine::evaluate_function: IndexBackward0", 100, 200);
  trace.op("IndexBackward0", 101, 190);
  trace.op("aten::_index_put_impl_", 110, 150);
  trace.op("aten::_index_put_impl_", 500, 300);  // the script's own
  const auto metrics = costly_gradients(input());
  EXPECT_DOUBLE_EQ(value(metrics, "index_gradient_ratio"), 0.2);
  EXPECT_NE(reason(metrics, "weight_norm_count"), "");
  EXPECT_NE(reason(metrics, "weight_norm_ratio"), "");
}

TEST_F(Steps, OnADeviceGradientsOfIndexedRowsTakeTheTimeOfTheirKernels) {
  trace.op("autograd::engine::evaluate_function: IndexBackward0", 100, 20);
  trace.call("cudaLaunchKernel", 105, 5, 1);
  trace.kernel("sort", 120, 300, 1);
  trace.kernel("other", 500, 100, 2);
  EXPECT_DOUBLE_EQ(value(costly_gradients(input()), "index_gradient_ratio"), 0.32);
}

TEST_F(Steps, WithoutIndexedRowsTheirGradientsAreNotKnown) {
  trace.op("aten::index", 0, 100);
  EXPECT_NE(reason(costly_gradients(input()), "index_gradient_ratio"), "");
}

TEST_F(Steps, WeightsThatAreNormalisedCountOnceEach) {
  for (int i = 0; i < 3; ++i) {
    trace.op("aten::_weight_norm", 100 * i, 50);
    trace.op("aten::_weight_norm_interface", 100 * i + 5, 40);
    trace.op("autograd::engine::evaluate_function: WeightNormInterfaceBackward0", 500 + 50 * i, 40);
  }
  const auto metrics = costly_gradients(input());
  EXPECT_DOUBLE_EQ(value(metrics, "weight_norm_count"), 3);
  EXPECT_DOUBLE_EQ(value(metrics, "weight_norm_ratio"), 0.27);
}

TEST_F(Steps, TheHeadIsWhatIsAsWideAsTheScores) {
  op("aten::mm", 0, 100, "[[256,192],[192,32000]]");
  op("aten::_log_softmax", 100, 50, "[[256,32000],[],[]]");
  op("aten::nll_loss_forward", 150, 10, "[[256,32000],[256]]");
  op("aten::_log_softmax_backward_data", 200, 40, "[[256,32000],[256,32000],[],[]]");
  op("aten::mm", 300, 200, "[[32000,256],[256,192]]");
  op("aten::mm", 500, 200, "[[256,192],[192,192]]");
  op("aten::embedding", 700, 100, "[[32000,192],[4,64]]");
  op("aten::_log_softmax", 900, 10, "[[4,10],[],[]]");  // another loss
  const auto metrics = output_head(input());
  EXPECT_EQ(value(metrics, "output_class_count"), 32'000);
  EXPECT_EQ(value(metrics, "output_row_count"), 256);
  EXPECT_DOUBLE_EQ(value(metrics, "output_head_ratio"), 0.4);
}

TEST_F(Steps, OnADeviceTheHeadTakesTheTimeOfItsKernels) {
  product("aten::mm", "gemm", 100, "[[8,16,192],[192,32000]]", "");
  product("aten::_log_softmax", "softmax", 50, "[[8,16,32000],[],[]]", "");
  product("aten::mm", "gemm", 70, "[[128,192],[192,192]]", "");
  const auto metrics = output_head(input());
  EXPECT_EQ(value(metrics, "output_row_count"), 128);
  EXPECT_DOUBLE_EQ(value(metrics, "output_head_ratio"), 0.15);
}

TEST_F(Steps, WithoutShapesTheHeadIsNotKnown) {
  trace.op("aten::_log_softmax", 0, 10);
  op("aten::_log_softmax", 20, 10, "[[7]]");
  EXPECT_NE(reason(output_head(input()), "output_head_ratio"), "");
}

TEST_F(Steps, AnEinsumThatMultipliesItsLargestFactorsFirstComputesTooMuch) {
  trace.op("aten::einsum", 0, 300);
  op("aten::bmm", 10, 100, "[[1,10,10],[1,10,10]]");
  op("aten::bmm", 120, 100, "[[1,10,10],[1,10,1]]");
  trace.op("aten::einsum", 400, 100);  // of two factors
  op("aten::bmm", 410, 50, "[[1,10,10],[1,10,10]]");
  const auto metrics = einsum_order(input());
  EXPECT_DOUBLE_EQ(value(metrics, "einsum_ratio"), 0.4);
  EXPECT_DOUBLE_EQ(value(metrics, "einsum_excess_ratio"), 1 - 200.0 / 1100);
}

TEST_F(Steps, AChainOfFactorsGrowsAtBothEnds) {
  trace.op("aten::einsum", 0, 300);
  op("aten::bmm", 10, 100, "[[2,3,5],[2,5,7]]");
  op("aten::bmm", 120, 100, "[[2,7,3],[2,3,2]]");  // before the first
  EXPECT_DOUBLE_EQ(value(einsum_order(input()), "einsum_excess_ratio"),
                   1 - (2.0 * 3 * 5 + 2 * 5 * 7) / (3.0 * 5 * 7 + 7 * 3 * 2));
}

TEST_F(Steps, AnEinsumThatIsNoChainOrHasNoShapesSaysNothing) {
  trace.op("aten::einsum", 0, 300);
  op("aten::bmm", 10, 100, "[[1,3,5],[1,5,7]]");
  op("aten::bmm", 120, 100, "[[1,11,13],[1,13,2]]");
  trace.op("aten::einsum", 400, 300);
  trace.op("aten::bmm", 410, 100);
  trace.op("aten::bmm", 520, 100);
  EXPECT_NE(reason(einsum_order(input()), "einsum_ratio"), "");
  EXPECT_NE(reason(einsum_order(input()), "einsum_excess_ratio"), "");
}

TEST_F(Steps, NumbersBecomeObjectsInFramesOfTolist) {
  trace.host(
      Category::python_function, "<built-in method tolist of Tensor object at 0x7f>", 10, 20);
  trace.host(
      Category::python_function, "<built-in method tolist of numpy.ndarray object at 0x7f>", 50, 5);
  trace.host(Category::python_function, "train.py(9): tolist", 100, 500);
  const auto metrics = list_conversions(input());
  EXPECT_DOUBLE_EQ(value(metrics, "list_conversion_count"), 2);
  EXPECT_DOUBLE_EQ(value(metrics, "list_conversion_ratio"), 0.025);
}

TEST_F(Steps, WithoutFramesNoNumberIsKnownToBecomeAnObject) {
  trace.op("aten::mm", 0, 10);
  EXPECT_NE(reason(list_conversions(input()), "list_conversion_count"), "");
}

TEST_F(Steps, ACopyToAnotherLayoutIsNoPointwiseOperator) {
  trace.op("aten::contiguous", 0, 300);
  trace.op("aten::clone", 10, 280);
  trace.op("aten::copy_", 20, 260);
  trace.op("aten::copy_", 400, 100);
  EXPECT_EQ(largest_operator(input()).name, "aten::contiguous");
  const auto shares = operator_shares(input());
  EXPECT_DOUBLE_EQ(value(shares, "largest_operator_ratio"), 0.3);
  EXPECT_DOUBLE_EQ(value(shares, "pointwise_ratio"), 0.1);
}

}  // namespace
}  // namespace tune::metric
