#include "trace/inferred_steps.h"

#include "trace_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::profile {
namespace {

constexpr const char* kLoader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
constexpr const char* kUpdate = "Optimizer.step#SGD.step";

// Rows of one thread, one after another.
class Rows {
 public:
  Rows& range(const std::string& name, int us) { return add("user_annotation", name, us); }
  Rows& operators(int count) {
    for (int i = 0; i < count; ++i) {
      add("cpu_op", "aten::mm", 1);
    }
    return *this;
  }
  Rows& pause(int us) {
    now_us_ += us;
    return *this;
  }
  // A graph of that many kernels, which run for 1 us each from the call on.
  Rows& replay(int kernels, const std::string& name = "gemm") {
    const std::string correlation = R"("correlation": )" + std::to_string(++calls_);
    const int begin_us = now_us_;
    add("cuda_runtime", "cudaGraphLaunch", kernels + 2, correlation);
    for (int i = 0; i < kernels; ++i) {
      append(row("kernel", name, std::to_string(begin_us + 1 + i), "1", correlation));
    }
    return *this;
  }
  // A call whose kernels were not recorded.
  Rows& empty_replay() {
    return add(
        "cuda_runtime", "cudaGraphLaunch", 5, R"("correlation": )" + std::to_string(++calls_));
  }
  Rows& kernel(int us) { return add("kernel", "eager", us); }

  Steps steps(std::optional<std::int64_t> cut_ns = {}) const {
    return infer_steps(read_events(text_), cut_ns);
  }

 private:
  Rows& add(const std::string& category,
            const std::string& name,
            int us,
            const std::string& args = "") {
    append(row(category, name, std::to_string(now_us_), std::to_string(us), args));
    now_us_ += us;
    return *this;
  }
  void append(const std::string& row) { text_ += (text_.empty() ? "" : ",") + row; }

  std::string text_;
  int now_us_ = 0;
  int calls_ = 0;
};

std::vector<std::int64_t> lengths_us(const Steps& steps) {
  std::vector<std::int64_t> lengths;
  for (const Step& step : steps.steps) {
    lengths.push_back(step.interval.length_ns() / 1000);
  }
  return lengths;
}

using Lengths = std::vector<std::int64_t>;

TEST(InferredSteps, AreFromTheBatchAfterAnUpdateToTheNext) {
  Rows rows;
  for (int step = 0; step < 4; ++step) {
    rows.range(kLoader, 10).operators(5).range(kUpdate, 3).pause(2);
  }
  const Steps steps = rows.steps();
  EXPECT_TRUE(steps.are_known);
  EXPECT_EQ(steps.inferred_from, "the batches that follow an Optimizer.step# row");
  EXPECT_EQ(lengths_us(steps), Lengths({20, 20}));  // not the first, which starts up, nor the last
  EXPECT_EQ(steps.steps.front().name, "step 1");
  EXPECT_EQ(steps.steps.front().interval.begin_ns, 20'000);
}

TEST(InferredSteps, OfAccumulatedGradientsHaveSeveralBatches) {
  Rows rows;
  for (int step = 0; step < 4; ++step) {
    rows.range(kLoader, 10).operators(5).range(kLoader, 10).operators(5).range(kUpdate, 3);
  }
  EXPECT_EQ(lengths_us(rows.steps()), Lengths({33, 33}));
}

TEST(InferredSteps, DoNotCountTheBatchesOfAnEvaluation) {
  Rows rows;
  for (int step = 0; step < 4; ++step) {
    rows.range(kLoader, 10).operators(5).range(kUpdate, 3);
  }
  for (int batch = 0; batch < 20; ++batch) {
    rows.range(kLoader, 10).operators(5);
  }
  EXPECT_EQ(lengths_us(rows.steps()), Lengths({18, 18, 18}));  // its first batch ends the last step
}

TEST(InferredSteps, WithoutALoaderAreFromTheEndOfAnUpdateToTheNext) {
  Rows rows;
  for (int step = 0; step < 4; ++step) {
    rows.pause(7).operators(5).range(kUpdate, 3);
  }
  const Steps steps = rows.steps();
  EXPECT_EQ(steps.inferred_from, "the ends of Optimizer.step# rows");
  EXPECT_EQ(lengths_us(steps), Lengths({15, 15, 15}));
}

TEST(InferredSteps, HoldTheUpdatesOfAllOptimizers) {
  Rows rows;
  for (int step = 0; step < 8; ++step) {
    rows.operators(9).range(kUpdate, 3).operators(4).range(kUpdate, 3);
  }
  EXPECT_EQ(lengths_us(rows.steps()), Lengths({19, 19, 19, 19, 19, 19, 19}));
}

TEST(InferredSteps, OfUpdatesThatAreAllDifferentAreOneEach) {
  Rows rows;
  for (int step = 0; step < 6; ++step) {
    rows.operators(3 + 2 * step).range(kUpdate, 3);
  }
  EXPECT_EQ(lengths_us(rows.steps()), Lengths({8, 10, 12, 14, 16}));
}

TEST(InferredSteps, AnOptimizerWithinAnotherIsOneUpdate) {
  std::string text;
  for (int step = 0; step < 5; ++step) {
    const std::string at = std::to_string(100 * step);
    text +=
        (step == 0 ? "" : ",") +
        row("user_annotation", "Optimizer.step#AcceleratedOptimizer.step", at, "50") + "," +
        row("user_annotation", "Optimizer.step#AdamW.step", std::to_string(100 * step + 10), "30");
  }
  EXPECT_EQ(lengths_us(infer_steps(read_events(text), {})), Lengths({100, 100, 100, 100}));
}

TEST(InferredSteps, OfAServerAreItsIterations) {
  for (const std::string name : {"execute_context_0(0)_generation_4(4)",
                                 "execute_new_1_cached_3",
                                 "execute_32_context_0(sq0sk0)_generation_32(sq32sk5)",
                                 "step[DECODE bs=8 toks=8]"}) {
    Rows rows;
    for (int step = 0; step < 4; ++step) {
      rows.range(name, 30).pause(10);
    }
    EXPECT_EQ(lengths_us(rows.steps()), Lengths({40, 40})) << name;
  }
  Rows others;
  for (int step = 0; step < 9; ++step) {
    others.range("execute_model", 30);
  }
  EXPECT_FALSE(others.steps().are_known);
}

TEST(InferredSteps, WithoutAnUpdateAreTheBatchesOfAnInference) {
  Rows rows;
  for (int step = 0; step < 5; ++step) {
    rows.range(kLoader, 10).operators(5);
  }
  const Steps steps = rows.steps();
  EXPECT_EQ(steps.inferred_from, "the enumerate(DataLoader)# rows");
  EXPECT_EQ(lengths_us(steps), Lengths({15, 15, 15}));
}

TEST(InferredSteps, OfAGraphAreItsReplays) {
  Rows rows;
  for (int step = 0; step < 6; ++step) {
    rows.replay(20, step % 3 == 0 ? "gemm_a" : "gemm_b").pause(8);  // as of other sizes of a batch
  }
  const Steps steps = rows.steps();
  EXPECT_EQ(steps.inferred_from, "the replays of a CUDA graph");
  EXPECT_EQ(lengths_us(steps), Lengths({30, 30, 30, 30}));
}

// Cut between its layers a model is many graphs: the first and the last differ from the rest.
TEST(InferredSteps, OfManyGraphsBeginAfterTheLongestPause) {
  constexpr int kLayers = 40;
  Rows rows;
  rows.replay(5).pause(3).replay(9).pause(20);  // the end of an earlier step
  for (int step = 0; step < 6; ++step) {
    rows.replay(3).pause(2);
    for (int layer = 0; layer < kLayers; ++layer) {
      rows.replay(5).pause(2);
    }
    rows.replay(9).pause(20);
  }
  const std::int64_t length_us = 5 + 2 + kLayers * (7 + 2) + 11 + 20;
  EXPECT_EQ(lengths_us(rows.steps()), Lengths(4, length_us));
}

TEST(InferredSteps, AreNotKnownWhereReplaysSayTooLittle) {
  Rows few;
  few.replay(20).pause(5).replay(20).pause(5).replay(20);
  EXPECT_FALSE(few.steps().are_known);

  Rows empty;
  Rows beside;
  beside.kernel(5000);
  for (int step = 0; step < 6; ++step) {
    empty.empty_replay().pause(5);
    beside.replay(20).pause(5);
  }
  EXPECT_FALSE(empty.steps().are_known);
  EXPECT_FALSE(beside.steps().are_known);  // most of the work is in front of them
}

TEST(InferredSteps, EndWhereRowsAreMissing) {
  Rows rows;
  for (int step = 0; step < 6; ++step) {
    rows.operators(5).range(kUpdate, 5);
  }
  EXPECT_EQ(rows.steps(45'000).steps.size(), 3U);
}

TEST(InferredSteps, AreOfTheThreadThatHasMostOfTheRows) {
  std::string text;
  for (int step = 0; step < 5; ++step) {
    text +=
        (step == 0 ? "" : ",") + row("user_annotation", kUpdate, std::to_string(100 * step), "10");
  }
  text +=
      R"(, {"ph": "X", "cat": "user_annotation", "name": "Optimizer.step#SGD.step", "pid": 412,)"
      R"( "tid": 9, "ts": 250, "dur": 4})";
  EXPECT_EQ(lengths_us(infer_steps(read_events(text), {})), Lengths({100, 100, 100, 100}));
}

TEST(InferredSteps, AreLookedForWhereNoRowMarksAStep) {
  const std::string update = row("user_annotation", kUpdate, "0", "10") + "," +
                             row("user_annotation", kUpdate, "100", "10") + "," +
                             row("user_annotation", kUpdate, "200", "10");
  EXPECT_EQ(find_steps(read_events(update)).steps.size(), 2U);
  const Steps marked =
      find_steps(read_events(update + "," + row("user_annotation", "ProfilerStep#5", "50", "90")));
  ASSERT_EQ(marked.steps.size(), 1U);
  EXPECT_EQ(marked.inferred_from, "");
}

}  // namespace
}  // namespace tune::profile
