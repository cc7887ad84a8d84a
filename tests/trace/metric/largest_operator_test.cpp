#include "trace/metric/largest_operator.h"

#include "found.h"
#include "product_steps.h"
#include "trace/metric/embedding_gradients.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

TEST_F(Steps, TheLargestOperatorIsWhatANetworkDoesNotConsistOf) {
  trace.op("aten::mm", 0, 400);
  trace.op("aten::sort", 400, 200);
  trace.op("aten::copy_", 450, 80);  // within: its own time
  trace.op("aten::sort", 600, 150);
  trace.op("aten::add", 800, 100);
  EXPECT_EQ(largest_operator(input()).name, "aten::sort");
  EXPECT_DOUBLE_EQ(value(operator_shares(input()), "largest_operator_ratio"), 0.27);
}

TEST_F(Steps, OnADeviceTheLargestOperatorIsThatOfTheKernels) {
  trace.op("aten::sort", 0, 300);
  trace.call("cudaLaunchKernel", 10, 5, 1);
  trace.kernel("sort", 100, 50, 1);
  trace.op("aten::cat", 400, 20);
  trace.call("cudaLaunchKernel", 405, 5, 2);
  trace.kernel("cat", 500, 250, 2);
  EXPECT_EQ(largest_operator(input()).name, "aten::cat");
  EXPECT_DOUBLE_EQ(value(operator_shares(input()), "largest_operator_ratio"), 0.25);
}

TEST_F(Steps, WhatTheOptimizerCallsIsNotTheLargestOperator) {
  trace.host(profile::Category::user_annotation, "Optimizer.step#Adam.step", 0, 700);
  trace.op("aten::sqrt", 10, 600);
  trace.op("aten::relu", 800, 100);
  EXPECT_EQ(largest_operator(input()).name, "aten::relu");
}

TEST_F(Steps, PointwiseOperatorsAreCountedTogether) {
  trace.op("aten::mm", 0, 300);
  trace.op("aten::mul", 300, 100);
  trace.op("aten::add_", 400, 100);
  trace.op("aten::gelu_backward", 500, 50);
  trace.op("aten::batch_norm", 600, 100);
  trace.op("aten::addmm", 700, 100);
  trace.host(profile::Category::user_annotation, "Optimizer.step#Adam.step", 800, 200);
  trace.op("aten::sqrt", 810, 150);
  EXPECT_DOUBLE_EQ(value(operator_shares(input()), "pointwise_ratio"), 0.25);
}

TEST_F(Steps, ATableOfEmbeddingsWithADenseGradientIsKnownByItsLookup) {
  op("aten::embedding", 0, 10, "[[1000000,64],[256,8],[],[],[]]");
  op("aten::embedding", 20, 10, "[[128,64],[8],[],[],[]]");
  EXPECT_NE(reason(embedding_gradients(input()), "embedding_row_count"), "") << "no gradient";
  trace.op("aten::embedding_dense_backward", 50, 10);
  const auto metrics = embedding_gradients(input());
  EXPECT_DOUBLE_EQ(value(metrics, "embedding_row_count"), 1'000'000);
  EXPECT_DOUBLE_EQ(value(metrics, "embedding_used_ratio"), 0.002048);
}

TEST_F(Steps, TablesAreThePartOfTheGradientsThatTheyStore) {
  const auto stored = [&](double at, const std::string& dims) {
    op("torch::autograd::AccumulateGrad", at, 2, dims, R"(["float"])");
  };
  op("aten::embedding", 0, 10, "[[1000000,64],[256,8],[],[],[]]");
  trace.op("aten::embedding_dense_backward", 50, 10);
  EXPECT_NE(reason(embedding_gradients(input()), "embedding_parameter_ratio"), "") << "not stored";
  stored(70, "[[1000000,64]]");
  stored(74, "[[1000000,64]]");  // a layer over the same vocabulary, which has no dense gradient
  stored(78, "[[64,1000000]]");
  EXPECT_DOUBLE_EQ(value(embedding_gradients(input()), "embedding_parameter_ratio"), 1.0 / 3);
}

TEST_F(Steps, WithoutShapesATableOfEmbeddingsIsNotKnown) {
  trace.op("aten::embedding", 0, 10);
  trace.op("aten::embedding_dense_backward", 50, 10);
  EXPECT_NE(reason(embedding_gradients(input()), "embedding_used_ratio"), "");
}

}  // namespace
}  // namespace tune::metric
