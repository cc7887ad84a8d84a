#include "worker/script/script_reply.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tune::script {
namespace {

// `count` steps of 100 ns each, the first of which ends at `end_ns`.
GroupedNotes rank_of(std::size_t count, std::int64_t end_ns, std::int64_t samples) {
  GroupedNotes notes;
  for (std::size_t i = 0; i < count; ++i, end_ns += 100) {
    Step step{.begin_ns = end_ns - 100, .end_ns = end_ns, .samples = samples};
    step.phases.other_ns = 100;
    notes.steps.push_back(step);
  }
  return notes;
}

class ScriptReply : public testing::Test {
 protected:
  ScriptReply() {
    spec_.id = "r1-c01";
    spec_.knobs = trial::default_settings();
    spec_.measure = {.slices = 4, .slice_ns = 200, .slice_steps = 2};
    first_.marks = {{kWindowBegins, 300, 2}, {kWindowEnds, 1'100, 10}};
  }

  std::int64_t samples(const std::vector<const GroupedNotes*>& ranks) const {
    ScriptEvidence evidence;
    evidence.ranks = ranks;
    std::int64_t sum = 0;
    for (const trial::Slice& slice : measured_reply(spec_, evidence).slices) {
      sum += slice.samples;
    }
    return sum;
  }

  trial::TrialSpec spec_;
  GroupedNotes first_ = rank_of(12, 100, 32);
};

TEST_F(ScriptReply, RanksInStepHaveTheSameStepsWhereverTheirEndsFall) {
  EXPECT_EQ(samples({&first_}), 8 * 32);
  for (const std::int64_t end_ns : {51, 99, 100, 101, 149}) {
    const GroupedNotes other = rank_of(12, end_ns, 30);
    EXPECT_EQ(samples({&first_, &other}), 8 * 62) << end_ns;
  }
}

// Each epoch may make its loader again.
TEST_F(ScriptReply, ALoaderThatIsMadeAgainHasOnePlace) {
  ScriptEvidence evidence;
  evidence.ranks = {&first_};
  evidence.facts.emplace();
  for (std::int64_t number = 0; number < 300; ++number) {
    evidence.facts->loaders.emplace_back().place = Place{"train.py", "main", 9};
    first_.training_loaders.push_back(number);
  }
  evidence.facts->loaders[50].place = Place{"train.py", "main", 12};
  const auto places = seen_script(evidence).places;
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].line, 9);
  EXPECT_EQ(places[1].line, 12);
}

TEST_F(ScriptReply, RanksOfTheirOwnPaceCountByTheClock) {
  const GroupedNotes other = rank_of(4, 350, 30);
  EXPECT_EQ(samples({&first_, &other}), 8 * 32 + 4 * 30);
  const GroupedNotes none;
  EXPECT_EQ(samples({&first_, &none}), 8 * 32);
}

TEST_F(ScriptReply, AnEpochIsWhatAllRanksTakeOfTheData) {
  first_.epoch_samples = 500;
  GroupedNotes other = rank_of(12, 99, 30);
  other.epoch_samples = 490;
  const auto epoch = [this](const std::vector<const GroupedNotes*>& ranks) {
    ScriptEvidence evidence;
    evidence.ranks = ranks;
    return measured_reply(spec_, evidence).script->epoch_samples;
  };
  EXPECT_EQ(epoch({&first_}), 500);
  EXPECT_EQ(epoch({&first_, &other}), 990);
  other.epoch_samples.reset();
  EXPECT_EQ(epoch({&first_, &other}), std::nullopt);
  first_ = rank_of(12, 100, 0);
  first_.marks = {{kWindowBegins, 300, 2}, {kWindowEnds, 1'100, 10}};
  first_.epoch_samples = 500;
  EXPECT_EQ(epoch({&first_}), std::nullopt) << "a step counts as one sample";
}

TEST_F(ScriptReply, PartsOfAStepAreThoseOfTheGpu) {
  ScriptEvidence evidence;
  evidence.ranks = {&first_};
  evidence.facts.emplace().gpu_parts = GpuParts{
      .steps = 4,
      .phases = {.data_wait_ns = 40, .forward_ns = 80, .backward_ns = 240, .other_ns = 40}};
  const trial::TrialReply reply = measured_reply(spec_, evidence);
  ASSERT_EQ(reply.step_phases.size(), 8U);
  for (const trial::PhaseSums& step : reply.step_phases) {
    EXPECT_EQ(step,
              (trial::PhaseSums{
                  .data_wait_ns = 10, .forward_ns = 20, .backward_ns = 60, .other_ns = 10}));
  }
}

TEST_F(ScriptReply, HasHowOftenTheProfilerOfTheScriptWasSeenRunning) {
  ScriptEvidence evidence;
  evidence.ranks = {&first_};
  const auto ratio = [&](const std::vector<bool>& profiled) {
    evidence.facts.emplace().profiled = profiled;
    return measured_reply(spec_, evidence).script->profiler_ratio;
  };
  EXPECT_EQ(ratio({}), std::nullopt);
  EXPECT_EQ(ratio({false, true}), 0.5);
  EXPECT_EQ(ratio({true, true}), 1);
}

TEST_F(ScriptReply, HasTheClassOfTheOptimizersWhereItIsOne) {
  ScriptEvidence evidence;
  evidence.ranks = {&first_};
  const auto optimizer = [&](const std::vector<std::string>& types) {
    std::vector<OptimizerFacts>& all = evidence.facts.emplace().optimizers;
    for (const std::string& type : types) {
      all.push_back({.type = type});
    }
    return measured_reply(spec_, evidence).script->optimizer;
  };
  EXPECT_EQ(optimizer({}), "");
  EXPECT_EQ(optimizer({"SGD", "SGD"}), "SGD");
  EXPECT_EQ(optimizer({"SGD", "AdamW"}), "");
}

TEST_F(ScriptReply, HasTheCollectorsShareOfTheWindowAndTheMostDenormalModel) {
  ScriptEvidence evidence;
  evidence.ranks = {&first_};
  ScriptFacts& facts = evidence.facts.emplace();
  facts.collector = {.collections = 3, .took_ns = 20, .of_ns = 400};
  facts.models = {{.type = "A", .unused_gradient_ratio = 0.5},
                  {.type = "B", .denormal_ratio = 0.25},
                  {.denormal_ratio = 0.0, .unused_gradient_ratio = 0.0}};
  const trial::TrialReply reply = measured_reply(spec_, evidence);
  ASSERT_TRUE(reply.script.has_value());
  EXPECT_EQ(reply.script->collector_ratio, 0.05);
  EXPECT_EQ(reply.script->denormal_ratio, 0.25);
  EXPECT_EQ(reply.script->unused_gradient_ratio, 0.5);
  EXPECT_EQ(reply.script->double_parameter_ratio, std::nullopt) << "no model says its type";
  EXPECT_EQ(reply.script->jpeg_time_ratio, std::nullopt);
}

TEST_F(ScriptReply, HasTheShareOfNumbersInFloat64) {
  ScriptEvidence evidence;
  evidence.ranks = {&first_};
  evidence.facts.emplace().models = {{.dtype = "torch.float64", .parameters = 300},
                                     {.dtype = "torch.float32", .parameters = 100}};
  EXPECT_EQ(measured_reply(spec_, evidence).script->double_parameter_ratio, 0.75);
}

TEST_F(ScriptReply, HasTheShareOfEvaluationOverWholePeriodsOnly) {
  ScriptEvidence evidence;
  evidence.ranks = {&first_};
  const auto ratio = [&] { return measured_reply(spec_, evidence).script->evaluation_ratio; };
  EXPECT_EQ(ratio(), std::nullopt);
  first_.steps[3].outside.evaluation_ns = 40;
  EXPECT_EQ(ratio(), std::nullopt) << "one does not tell how often it comes";
  first_.steps[7].outside.evaluation_ns = 60;
  EXPECT_EQ(ratio(), 0.15) << "60 of the 400 ns since the end of the first";
}

TEST_F(ScriptReply, HasTheShareOfJpegsAndOfTheirPixelsThatAreKept) {
  ScriptEvidence evidence;
  evidence.ranks = {&first_};
  ScriptFacts& facts = evidence.facts.emplace();
  facts.jpegs = {.images = 3, .took_ns = 100, .of_ns = 400, .pixels = 90, .kept_pixels = 9};
  trial::TrialReply reply = measured_reply(spec_, evidence);
  EXPECT_EQ(reply.script->jpeg_time_ratio, 0.25);
  EXPECT_EQ(reply.script->kept_pixel_ratio, 0.1);
  facts.jpegs->pixels = 0;  // decoded, and never resized
  reply = measured_reply(spec_, evidence);
  EXPECT_EQ(reply.script->kept_pixel_ratio, std::nullopt);
}

}  // namespace
}  // namespace tune::script
