#include "worker/step_graph.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::worker {
namespace {

// Writes down what happens, a letter each; "(" and ")" are around what runs aside.
class FakeGraph final : public GraphDevice {
 public:
  explicit FakeGraph(std::string& log) : log_(log) {}

  void run_aside(const std::function<void()>& work) override {
    log_ += "(";
    work();
    log_ += ")";
  }
  void capture(const std::function<void()>& work) override {
    log_ += "[";
    work();
    if (!failure.empty()) {
      throw std::runtime_error(failure);
    }
    log_ += "]";
  }
  void replay() override { log_ += "r"; }

  std::string failure;

 private:
  std::string& log_;
};

const StepGraph::Shape kWhole = {32, 3, 8, 8, 32};
const StepGraph::Shape kLast = {7, 3, 8, 8, 7};

class StepGraphTest : public testing::Test {
 protected:
  bool run(const StepGraph::Shape& shape) {
    return graph_.run(shape,
                      {.plain = [this] { log_ += "p"; },
                       .fill = [this] { log_ += "f"; },
                       .captured = [this] { log_ += "c"; }});
  }

  std::string complaint_of(const StepGraph::Shape& shape) {
    try {
      run(shape);
    } catch (const CaptureRefused& refused) {
      return refused.what();
    }
    return "";
  }

  std::string log_;
  FakeGraph device_{log_};
  StepGraph graph_{device_};
};

TEST_F(StepGraphTest, WarmsUpCapturesOnceAndReplays) {
  for (int i = 0; i < StepGraph::kStepsAside; ++i) {
    EXPECT_TRUE(graph_.is_warming_up());
    EXPECT_FALSE(run(kWhole));
  }
  EXPECT_EQ(log_, "(p)(p)(p)");
  EXPECT_TRUE(graph_.is_warming_up()) << "the capture belongs to the warm-up";
  EXPECT_TRUE(run(kWhole));
  EXPECT_FALSE(graph_.is_warming_up());
  EXPECT_TRUE(run(kWhole));
  EXPECT_EQ(log_, "(p)(p)(p)f[c]rfr") << "the captured step computes only when it is replayed";
}

TEST_F(StepGraphTest, ASmallerBatchRunsAsItIs) {
  for (int epoch = 0; epoch < 3; ++epoch) {
    run(kWhole);
    run(kWhole);
    EXPECT_FALSE(run(kLast));
  }
  EXPECT_EQ(log_, "(p)(p)p(p)f[c]rpfrfrp");
}

TEST_F(StepGraphTest, WhereEachEpochIsOneSmallBatchThatOneIsCaptured) {
  for (int i = 0; i <= StepGraph::kStepsAside; ++i) {
    run(kLast);
  }
  EXPECT_EQ(log_, "(p)(p)(p)f[c]r");
}

TEST_F(StepGraphTest, ACaptureThatFailsRefusesTheSettingInOneSentence) {
  for (int i = 0; i < StepGraph::kStepsAside; ++i) {
    run(kWhole);
  }
  device_.failure =
      "CUDA error: operation not permitted when stream is capturing\nFor debugging consider ...";
  EXPECT_EQ(complaint_of(kWhole),
            "knobs.cuda_graphs: the step cannot be captured (CUDA error: operation not permitted "
            "when stream is capturing) false?");
  EXPECT_TRUE(graph_.is_warming_up());
  EXPECT_EQ(log_.find('r'), std::string::npos) << "what was not captured is never replayed";
}

TEST_F(StepGraphTest, MemoryThatRunsOutStaysWhatItIs) {
  for (int i = 0; i < StepGraph::kStepsAside; ++i) {
    run(kWhole);
  }
  device_.failure = "CUDA out of memory. Tried to allocate 2.00 GiB";
  EXPECT_THROW(run(kWhole), std::runtime_error);
  EXPECT_EQ(complaint_of(kLast), "") << "the failure is not a refusal";
}

TEST_F(StepGraphTest, WhatAPlainStepThrowsIsNoRefusal) {
  const StepGraph::Parts broken = {
      .plain = [] { throw std::logic_error("the model is broken"); }, .fill = {}, .captured = {}};
  EXPECT_THROW(graph_.run(kWhole, broken), std::logic_error);
}

TEST_F(StepGraphTest, ShapesThatKeepChangingAreRefused) {
  run(kWhole);
  std::string complaint;
  int others = 0;
  for (; complaint.empty() && others < 1'000; ++others) {
    complaint = complaint_of({others});
  }
  EXPECT_EQ(others, StepGraph::kMostOthers + 1);
  EXPECT_EQ(complaint,
            "knobs.cuda_graphs: the step cannot be captured (the shapes of batches differ, and a "
            "graph is for one) false?");
}

TEST_F(StepGraphTest, OnceThereIsAGraphOtherShapesMayComeAsOftenAsTheyLike) {
  for (int i = 0; i <= StepGraph::kStepsAside; ++i) {
    run(kWhole);
  }
  for (int i = 0; i < 2 * StepGraph::kMostOthers; ++i) {
    EXPECT_EQ(complaint_of(kLast), "");
  }
}

}  // namespace
}  // namespace tune::worker
