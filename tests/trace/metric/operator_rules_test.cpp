// Metrics that find patterns of operators.

#include "found.h"
#include "product_steps.h"
#include "trace/metric/convolution_bias.h"
#include "trace/metric/distinct_shapes.h"
#include "trace/metric/layout_ratios.h"
#include "trace/metric/operator_sequences.h"
#include "trace/metric/recompute_ratio.h"
#include "trace/metric/unfused_attention.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

TEST_F(Steps, LayoutKernelsAreToldByTheirNames) {
  product("aten::conv2d", "void nchwToNhwcKernel<float>", 10, "", "");
  product("aten::conv2d", "batched_transpose_32x32", 5, "", "");
  product("aten::conv2d", "conv", 85, "", "");
  trace.op("aten::contiguous", 900, 50);
  EXPECT_DOUBLE_EQ(*layout_kernel_ratio(input()).value, 0.15);
  EXPECT_DOUBLE_EQ(*layout_op_ratio(input()).value, 0.05);
}

TEST_F(Steps, CopiesOfAFusedOptimizerAreItsOwn) {
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 100, 200);
  trace.op("aten::contiguous", 110, 50);
  trace.op("aten::contiguous", 400, 20);
  EXPECT_DOUBLE_EQ(*layout_op_ratio(input()).value, 0.02);
}

TEST(Layout, NeedsKernelsAndOperators) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "forward", 0, 10);
  trace.call("cudaMalloc", 1, 2, 1);
  const TraceInput input = examine(trace.timeline());
  EXPECT_NE(layout_kernel_ratio(input).reason, "");
  EXPECT_EQ(layout_op_ratio(input).reason, "no operator was recorded (ProfilerActivity.CPU)");
}

TEST_F(Steps, ConvolutionsWithABiasBeforeANormalisationAreCounted) {
  op("aten::conv2d", 0, 10, "[[1,3,8,8],[4,3,3,3],[4],[],[],[],[]]");
  op("aten::add_", 11, 2, "[[],[],[]]");
  op("aten::batch_norm", 20, 10, "[[1,4,6,6]]");
  op("aten::conv2d", 40, 10, "[[1,3,8,8],[4,3,3,3],[],[],[],[],[]]");  // no bias
  op("aten::batch_norm", 51, 10, "[[1,4,6,6]]");
  op("aten::conv2d", 70, 10, "[[1,3,8,8],[4,3,3,3],[4],[],[],[],[]]");
  op("aten::relu", 81, 2, "[[1,4,6,6]]");
  op("aten::batch_norm", 90, 10, "[[1,4,6,6]]");
  EXPECT_DOUBLE_EQ(value(convolution_bias(input()), "conv_bias_bn_count"), 1);
}

// A convolution that adds its bias, and a normalisation; the way back sums up the bias' gradient.
TEST_F(Steps, ABiasTakesTheTimeOfItsKernels) {
  op("aten::conv2d", 0, 50, "");
  trace.op("aten::cudnn_convolution", 5, 10);
  trace.call("cudaLaunchKernel", 8, 2, 1);
  trace.detail(trace.op("aten::convolution", 1, 48)).sequence_number = 7;
  trace.op("aten::add_", 20, 10);
  trace.call("cudaLaunchKernel", 22, 2, 2);
  trace.op("aten::batch_norm", 60, 10);
  profile::Event& node = trace.op("ConvolutionBackward0", 100, 50);
  profile::OpDetail& detail = trace.detail(node);
  detail.sequence_number = 7;
  detail.forward_thread = 1;
  trace.op("aten::convolution_backward", 102, 20);
  trace.call("cudaLaunchKernel", 104, 2, 3);
  trace.op("aten::sum", 130, 10);
  trace.call("cudaLaunchKernel", 132, 2, 4);
  for (int i = 1; i <= 4; ++i) {
    trace.kernel("k", 200 + 100 * i, 10 * i, i);
  }
  const auto metrics = convolution_bias(input());
  EXPECT_DOUBLE_EQ(value(metrics, "conv_bias_bn_count"), 1);  // told by aten::add_, without shapes
  EXPECT_DOUBLE_EQ(value(metrics, "conv_bias_ratio"), 0.06);
}

TEST_F(Steps, OnTheCpuABiasCostsNothingOfItsOwn) {
  op("aten::conv2d", 0, 10, "[[1,3,8,8],[4,3,3,3],[4],[],[],[],[]]");
  op("aten::batch_norm", 20, 10, "[[1,4,6,6]]");
  EXPECT_EQ(value(convolution_bias(input()), "conv_bias_ratio"), 0);
}

TEST_F(Steps, ABiasThatWasNotRecordedIsNotKnown) {
  trace.op("aten::conv2d", 0, 10);
  trace.op("aten::batch_norm", 20, 10);
  EXPECT_NE(reason(convolution_bias(input()), "conv_bias_bn_count"), "");
  EXPECT_NE(reason(convolution_bias(input()), "conv_bias_ratio"), "");
}

TEST_F(Steps, TensorsFilledOnTheCpuAndMovedAreExtraCopies) {
  trace.op("aten::zeros", 0, 20);
  trace.op("aten::zero_", 5, 10);
  trace.op("aten::to", 30, 40);
  op("aten::copy_", 35, 30, "[[4],[4]]", R"(["float","float"])");
  trace.call("cudaMemcpyAsync", 40, 20, 1);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 45, 5, 1, 16);
  trace.op("aten::stack", 100, 20);  // a batch is no constant
  trace.op("aten::to", 130, 40);
  trace.call("cudaMemcpyAsync", 140, 20, 2);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 145, 5, 2, 16);
  EXPECT_DOUBLE_EQ(value(operator_sequences(input()), "extra_h2d_count"), 1);
}

TEST_F(Steps, FillsOnTheDeviceAndConversionsAreNoExtraCopies) {
  trace.op("aten::zeros", 0, 20);
  trace.op("aten::zero_", 5, 10);
  trace.call("cudaMemsetAsync", 6, 2, 9);  // on the device
  trace.op("aten::to", 30, 40);
  trace.call("cudaMemcpyAsync", 40, 20, 1);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 45, 5, 1, 16);
  trace.op("aten::normal_", 100, 20);
  trace.op("aten::to", 130, 60);
  op("aten::copy_", 135, 50, "[[4],[4]]", R"(["c10::Half","float"])");
  trace.call("cudaMemcpyAsync", 140, 20, 2);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 145, 5, 2, 16);
  EXPECT_EQ(value(operator_sequences(input()), "extra_h2d_count"), 0);
}

TEST_F(Steps, ALoopOverRowsIsARunOfSelects) {
  for (int i = 0; i < 12; ++i) {
    trace.op("aten::select", i * 10, 2);
    trace.op("aten::add", i * 10 + 4, 2);
  }
  trace.op("aten::select", 300, 2);
  trace.op("aten::mul", 310, 2);
  trace.op("aten::select", 320, 2);
  const auto metrics = operator_sequences(input());
  // The thirteenth follows the same operator as the others did.
  EXPECT_DOUBLE_EQ(value(metrics, "select_run_length"), 13);
  EXPECT_NEAR(value(metrics, "select_run_ratio"), 0.302, 1e-12);  // from 0 to the end of the 13th
  EXPECT_NE(reason(metrics, "extra_h2d_count"), "");              // rows of the CPU alone
}

TEST_F(Steps, ALoopWithALayerInItIsNotOneOverRows) {
  for (int i = 0; i < 12; ++i) {
    trace.op("aten::select", i * 10, 2);
    trace.op("aten::linear", i * 10 + 4, 2);
  }
  EXPECT_LT(value(operator_sequences(input()), "select_run_length"), 3);
}

TEST_F(Steps, CellsOfARecurrentLayerAreCounted) {
  for (int i = 0; i < 5; ++i) {
    trace.op("aten::lstm_cell", i * 100, 40);
    trace.op("aten::linear", i * 100 + 5, 20);
  }
  const auto metrics = operator_sequences(input());
  EXPECT_DOUBLE_EQ(value(metrics, "recurrent_cell_count"), 5);
  EXPECT_DOUBLE_EQ(value(metrics, "recurrent_cell_ratio"), 0.2);
}

// mask[i, j] = value: two selects for an element.
TEST_F(Steps, ALoopOverElementsIsARunOfPairsOfSelects) {
  for (int i = 0; i < 12; ++i) {
    trace.op("aten::select", i * 10, 2);
    trace.op("aten::select", i * 10 + 3, 2);
    trace.op("aten::copy_", i * 10 + 6, 2);
  }
  EXPECT_DOUBLE_EQ(value(operator_sequences(input()), "select_run_length"), 24);
  for (int i = 0; i < 12; ++i) {  // another operator each time
    trace.op("aten::select", 300 + i * 10, 2);
    trace.op("aten::op" + std::to_string(i), 300 + i * 10 + 3, 2);
  }
  // The first of these follows the same operator as the others did.
  EXPECT_DOUBLE_EQ(value(operator_sequences(input()), "select_run_length"), 25);
}

TEST_F(Steps, ALoopOverRowsIsWithoutTheTimeInWhichItsReadsWait) {
  for (int i = 0; i < 12; ++i) {
    trace.op("aten::select", i * 10, 2);
    trace.op("aten::item", i * 10 + 3, 6);
    trace.call("cudaStreamSynchronize", i * 10 + 4, 4, -1);
  }
  // From 0 to the end of the twelfth, less eleven waits.
  EXPECT_NEAR(value(operator_sequences(input()), "select_run_ratio"), 0.112 - 0.044, 1e-12);
}

// That a loader takes samples one by one is another rule's: per-sample-fetch.
TEST_F(Steps, SelectsOfALoaderAreNoLoopOverRows) {
  trace.host(Category::user_annotation,
             "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
             0,
             200);
  for (int i = 0; i < 12; ++i) {
    trace.op("aten::select", i * 10 + 1, 2);
  }
  trace.op("aten::select", 300, 2);
  const auto metrics = operator_sequences(input());
  EXPECT_DOUBLE_EQ(value(metrics, "select_run_length"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "select_run_ratio"), 0);
}

TEST_F(Steps, SelectsThatAreFarApartAreNoLoop) {
  for (int i = 0; i < 3; ++i) {
    trace.op("aten::select", i * 300, 1);
    for (int k = 0; k < 40; ++k) {
      trace.op("aten::add", i * 300 + 2 + k, 1);
    }
  }
  EXPECT_DOUBLE_EQ(value(operator_sequences(input()), "select_run_length"), 1);
}

TEST(SelectRun, NeedsOperators) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "forward", 0, 10);
  trace.call("cudaMalloc", 1, 2, 1);
  EXPECT_NE(reason(operator_sequences(examine(trace.timeline())), "select_run_length"), "");
}

TEST_F(Steps, AttentionInPiecesIsProductSoftmaxProduct) {
  op("aten::matmul", 0, 50, "[[2,8,64,32],[2,8,32,64]]");
  trace.call("cudaLaunchKernel", 10, 5, 1);
  op("aten::div", 60, 20, "[[2,8,64,64],[]]");
  trace.call("cudaLaunchKernel", 65, 5, 2);
  op("aten::softmax", 90, 30, "[[2,8,64,64],[],[]]");
  trace.call("cudaLaunchKernel", 95, 5, 3);
  op("aten::matmul", 130, 50, "[[2,8,64,64],[2,8,64,32]]");
  trace.call("cudaLaunchKernel", 140, 5, 4);
  op("aten::linear", 200, 50, "[[2,64,32],[32,32]]");
  trace.call("cudaLaunchKernel", 210, 5, 5);
  for (int i = 1; i <= 5; ++i) {
    trace.kernel("k", 300 + 50 * i, 40, i);
  }
  EXPECT_DOUBLE_EQ(value(attention_ratios(input()), "attention_unfused_ratio"), 0.16);
}

TEST_F(Steps, ASoftmaxOverClassesIsNoAttention) {
  op("aten::matmul", 0, 50, "[[64,32],[32,10]]");
  op("aten::softmax", 90, 30, "[[2,64,10],[],[]]");
  op("aten::matmul", 130, 50, "[[64,64],[64,32]]");
  EXPECT_EQ(value(attention_ratios(input()), "attention_unfused_ratio"), 0);
}

TEST_F(Steps, AttentionOnTheCpuIsTheTimeOfItsOperators) {
  op("aten::bmm", 0, 50, "[[16,64,32],[16,32,64]]");
  op("aten::softmax", 60, 30, "[[16,64,64],[],[]]");
  trace.op("aten::_softmax", 65, 20);  // lies within
  op("aten::bmm", 100, 20, "[[16,64,64],[16,64,32]]");
  EXPECT_DOUBLE_EQ(value(attention_ratios(input()), "attention_unfused_ratio"), 0.1);
}

TEST_F(Steps, ASoftmaxOfSingleOperatorsIsToldByItsExponential) {
  op("aten::matmul", 0, 50, "[[2,8,64,32],[2,8,32,64]]");
  op("aten::mul", 60, 10, "[[2,8,64,64],[]]");
  op("aten::amax", 70, 10, "[[2,8,64,64],[],[]]");
  op("aten::sub", 80, 10, "[[2,8,64,64],[2,8,64,1],[]]");
  op("aten::exp", 90, 10, "[[2,8,64,64]]");
  op("aten::sum", 100, 10, "[[2,8,64,64],[],[],[]]");
  op("aten::div", 110, 10, "[[2,8,64,64],[2,8,64,1]]");
  op("aten::matmul", 130, 50, "[[2,8,64,64],[2,8,64,32]]");
  EXPECT_DOUBLE_EQ(value(attention_ratios(input()), "attention_unfused_ratio"), 0.16);
}

TEST_F(Steps, AnExponentialWithoutShapesMakesNothingUnknown) {
  trace.op("aten::bmm", 0, 50);
  trace.op("aten::exp", 60, 30);
  trace.op("aten::bmm", 100, 20);
  EXPECT_EQ(value(attention_ratios(input()), "attention_unfused_ratio"), 0);
}

TEST_F(Steps, WhatIsComputedAgainIsTheTimeOfItsRanges) {
  trace.host(Category::user_annotation, "recompute", 100, 200);
  trace.op("aten::mm", 150, 50);
  trace.host(Category::user_annotation, "recompute", 500, 50);
  EXPECT_DOUBLE_EQ(*recompute_ratio(input()).value, 0.25);
}

TEST_F(Steps, OnDevicesWhatIsComputedAgainIsTheTimeOfItsKernels) {
  trace.host(Category::user_annotation, "recompute", 100, 200);
  trace.op("aten::mm", 150, 50);
  trace.call("cudaLaunchKernel", 160, 5, 1);
  trace.kernel("again", 400, 100, 1);
  trace.op("aten::mm", 350, 50);
  trace.call("cudaLaunchKernel", 360, 5, 2);
  trace.kernel("once", 500, 300, 2);
  EXPECT_DOUBLE_EQ(*recompute_ratio(input()).value, 0.1);
}

TEST_F(Steps, LayersThatABackwardFunctionComputesAreComputedAgain) {
  trace.op("aten::linear", 0, 100);
  trace.op("autograd::engine::evaluate_function: AddmmBackward0", 200, 500);
  trace.op("aten::layer_norm", 210, 40);
  trace.op("aten::relu", 260, 40);
  trace.op("aten::linear", 310, 100);
  trace.op("aten::mm", 315, 80);
  trace.op("AddmmBackward0", 450, 200);
  trace.op("aten::mm", 460, 100);
  EXPECT_DOUBLE_EQ(*recompute_ratio(input()).value, 0.18);
}

TEST_F(Steps, WithoutSuchARangeNothingIsKnownOfIt) {
  trace.op("aten::mm", 0, 50);
  EXPECT_EQ(recompute_ratio(input()).reason, "no part of the forward pass is computed again");
}

TEST_F(Steps, WithoutShapesTwoProductsTellAttention) {
  trace.op("aten::bmm", 0, 50);
  trace.op("aten::softmax", 60, 30);
  trace.op("aten::bmm", 100, 20);
  const auto metrics = attention_ratios(input());
  EXPECT_DOUBLE_EQ(value(metrics, "attention_unfused_ratio"), 0.1);
  EXPECT_EQ(value(metrics, "attention_fallback_ratio"), 0);
}

TEST_F(Steps, PyTorchsOwnAttentionInPiecesIsAFallback) {
  trace.op("aten::scaled_dot_product_attention", 0, 200);
  trace.op("aten::_scaled_dot_product_attention_math", 5, 190);
  trace.op("aten::matmul", 10, 50);
  trace.op("aten::_safe_softmax", 70, 30);
  trace.op("aten::matmul", 110, 20);
  EXPECT_DOUBLE_EQ(value(attention_ratios(input()), "attention_fallback_ratio"), 0.1);
}

TEST_F(Steps, AConvolutionThatTriesAlgorithmsIssuesManyKernels) {
  std::int64_t correlation = 0;
  for (int call = 0; call < 3; ++call) {
    trace.op("aten::cudnn_convolution", call * 100, 80);
    for (int i = 0; i < (call == 0 ? 9 : 3); ++i) {
      trace.call("cudaLaunchKernel", call * 100 + 5 * i + 1, 2, ++correlation);
      trace.kernel("k", 400 + static_cast<double>(correlation) * 10, 5, correlation);
    }
  }
  EXPECT_DOUBLE_EQ(*autotune_event_count(input()).value, 1);
}

TEST_F(Steps, WithoutConvolutionsNobodyTriesAlgorithms) {
  trace.kernel("k", 400, 5, -1);
  EXPECT_EQ(autotune_event_count(input()).reason, "no kernel can be joined to a convolution");
}

}  // namespace
}  // namespace tune::metric
