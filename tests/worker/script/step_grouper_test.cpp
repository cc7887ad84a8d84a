#include "worker/script/step_grouper.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace tune::script {
namespace {

using enum NoteKind;

// Hand-made notes, each 10 ns after the previous one.
class Script {
 public:
  Script& note(NoteKind kind, int subject = 0, int number = 0, bool flag = true) {
    moment_ns_ += 10;
    notes_.push_back({.kind = kind,
                      .flags = static_cast<std::uint8_t>(flag),
                      .subject = static_cast<std::uint16_t>(subject),
                      .number = number,
                      .moment_ns = moment_ns_});
    return *this;
  }
  Script& sleep(std::int64_t ns) {
    moment_ns_ += ns;
    return *this;
  }
  Script& begin_epoch(int loader, int batch_size, int samples, int dataset) {
    return note(NoteKind::loader, loader, batch_size)
        .note(epoch, loader, samples)
        .note(iterate, loader, dataset);
  }
  Script& batch(int loader = 0, int rows = 0) { return note(ask, loader).note(got, loader, rows); }
  Script& passes() { return note(call).note(back).note(back_end); }
  Script& update() { return note(step).note(step_end); }
  Script& train(int steps) {
    for (int i = 0; i < steps; ++i) {
      batch().passes().update();
    }
    return *this;
  }
  Script& evaluate(int loader, int batches, int dataset) {
    begin_epoch(loader, 32, batches * 32, dataset);
    for (int i = 0; i < batches; ++i) {
      note(ask, loader).note(got, loader, 0, false).note(call, 0, 0, false);
    }
    return note(ask, loader).note(end, loader);
  }
  // As evaluate(), without no_grad().
  Script& look(int loader, int batches, int dataset) {
    return break_off(loader, batches, dataset).note(ask, loader).note(end, loader);
  }
  Script& break_off(int loader, int batches, int dataset) {
    begin_epoch(loader, 32, 320, dataset);
    for (int i = 0; i < batches; ++i) {
      note(ask, loader).note(got, loader).note(call);
    }
    return *this;
  }
  GroupedNotes group(bool by_batch = false) const { return group_steps(notes_, by_batch); }

 private:
  std::vector<Note> notes_;
  std::int64_t moment_ns_ = 1'000;
};

std::vector<std::int64_t> samples(const GroupedNotes& grouped) {
  std::vector<std::int64_t> found;
  for (const Step& step : grouped.steps) {
    found.push_back(step.samples);
  }
  return found;
}

using Counts = std::vector<std::int64_t>;

TEST(StepGrouper, AStepEndsWhereTheNextBatchIsAskedFor) {
  const auto grouped = Script().note(optimizer).begin_epoch(0, 16, 40, 0).train(3).batch().group();
  ASSERT_EQ(grouped.steps.size(), 3U);
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 8})) << "the last of an epoch is smaller";
  const Step& second = grouped.steps[1];
  EXPECT_EQ(second.begin_ns, grouped.steps[0].end_ns);
  EXPECT_EQ(second.batches, 1);
  EXPECT_EQ(second.optimizer_steps, 1);
  EXPECT_EQ(second.phases, (trial::PhaseSums{10, 10, 10, 10, 10, 20}));
  EXPECT_EQ(second.outside, Outside{});
  EXPECT_EQ(second.wall_ns(), 70);
  EXPECT_EQ(grouped.training_loaders, (Counts{0}));
}

TEST(StepGrouper, KnowsTheSamplesOfAnEpochWhereTheTrainingLoadersAgree) {
  Script script;
  script.note(optimizer).begin_epoch(0, 16, 64, 0).train(2).evaluate(1, 3, 1).train(2);
  EXPECT_EQ(script.group().epoch_samples, 64) << "an evaluation has its own";
  script.note(ask).note(end).begin_epoch(2, 16, 64, 0).batch(2).passes().update();
  EXPECT_EQ(script.group().epoch_samples, 64) << "a loader of the next epoch";
  script.begin_epoch(3, 16, 48, 2).batch(3).passes().update();
  EXPECT_EQ(script.group().epoch_samples, std::nullopt) << "which of the two is an epoch?";
  EXPECT_EQ(Script().note(optimizer).begin_epoch(0, -1, -1, 0).train(2).group().epoch_samples,
            std::nullopt);
}

TEST(StepGrouper, ALoaderMayGoOnWithoutBeginningAnEpoch) {
  const auto grouped = Script().note(optimizer).begin_epoch(0, 16, 40, 0).train(7).batch().group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 8, 16, 16, 8, 16}));
}

TEST(StepGrouper, TheLastStepIsKnownOnceTheNextOneBegins) {
  EXPECT_TRUE(Script().note(optimizer).begin_epoch(0, 16, 40, 0).train(1).group().steps.empty());
}

TEST(StepGrouper, SeveralBatchesAndSeveralOptimizersAreOneStep) {
  Script script = Script().note(optimizer).begin_epoch(0, 4, 1'000, 0);
  for (int i = 0; i < 2; ++i) {
    script.batch().passes().batch().passes().update().passes().update();
  }
  const auto grouped = script.batch().group();
  ASSERT_EQ(grouped.steps.size(), 2U);
  EXPECT_EQ(samples(grouped), (Counts{8, 8}));
  EXPECT_EQ(grouped.steps[1].optimizer_steps, 2);
  EXPECT_EQ(grouped.optimizer_steps, 4);
}

TEST(StepGrouper, AClosureIsPartOfItsStep) {
  Script script = Script().note(optimizer).begin_epoch(0, 4, 1'000, 0);
  for (int i = 0; i < 2; ++i) {
    script.batch().note(step).passes().note(clear).note(clear_end).passes().note(step_end);
  }
  const auto grouped = script.batch().group();
  ASSERT_EQ(grouped.steps.size(), 2U);
  EXPECT_EQ(samples(grouped), (Counts{4, 4}));
  EXPECT_EQ(grouped.steps[1].optimizer_steps, 1);
  EXPECT_EQ(grouped.steps[1].phases.backward_ns, 20);
}

TEST(StepGrouper, BatchesThatWereFetchedAheadCountWithTheirBackwardPass) {
  Script script = Script().note(optimizer).begin_epoch(0, 8, 20, 0).batch();
  script.batch().passes().update().batch().passes().update();
  const auto grouped =
      script.note(ask).note(end).passes().update().begin_epoch(0, 8, 20, 0).group();
  EXPECT_EQ(samples(grouped), (Counts{8, 8, 4}));
}

TEST(StepGrouper, BatchesOfAnotherThreadCountToo) {
  Script script = Script().note(optimizer);
  for (int i = 0; i < 3; ++i) {
    script.note(fetched, 0, 16).passes().update();
  }
  EXPECT_EQ(samples(script.group()), (Counts{16, 16}));
}

TEST(StepGrouper, RowsThatWereCountedSayTheSamples) {
  Script script = Script().note(optimizer).begin_epoch(0, -1, -1, 0);
  for (const int rows : {20, 28, 20}) {
    script.batch(0, rows).passes().update();
  }
  EXPECT_EQ(samples(script.batch().group()), (Counts{20, 28, 20}));
}

TEST(StepGrouper, EvaluationWithGradientsIsOutsideToo) {
  Script script;
  script.note(optimizer).begin_epoch(0, 16, 64, 0).train(2).look(1, 3, 1).train(2);
  script.look(1, 3, 1).note(ask).note(end).look(2, 3, 1).begin_epoch(0, 16, 64, 0).train(2);
  script.note(ask);
  const GroupedNotes grouped = script.group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 16, 16, 16, 16}));
  EXPECT_EQ(grouped.evaluating_loaders, (Counts{1, 2}));
  EXPECT_EQ(grouped.evaluations, 3);
  EXPECT_TRUE(grouped.evaluates_with_gradients);
  EXPECT_GT(grouped.steps[2].outside.evaluation_ns, 90);
  EXPECT_GT(grouped.steps[4].outside.evaluation_ns, 180);
  Script usual;
  usual.note(optimizer).begin_epoch(0, 16, 64, 0).train(2).evaluate(1, 3, 1).train(2).note(ask);
  EXPECT_FALSE(usual.group().evaluates_with_gradients);
  EXPECT_EQ(usual.group().steps[2].wall_ns(), grouped.steps[2].wall_ns());
}

TEST(StepGrouper, EvaluationThatIsBrokenOffIsOutsideToo) {
  Script script;
  script.note(optimizer).begin_epoch(0, 16, 64, 0).train(2).break_off(1, 3, 1).train(2).note(ask);
  script.note(end).break_off(2, 3, 2).begin_epoch(0, 16, 64, 0).train(2).break_off(1, 3, 1);
  const GroupedNotes grouped = script.train(1).note(ask).group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 16, 16, 16, 16, 16}));
  EXPECT_EQ(grouped.training_loaders, (Counts{0}));
  EXPECT_EQ(grouped.evaluating_loaders, (Counts{1, 2}));
  EXPECT_EQ(grouped.evaluations, 3);
  EXPECT_TRUE(grouped.evaluates_with_gradients);
  EXPECT_EQ(grouped.steps[2].phases, grouped.steps[3].phases);
  EXPECT_EQ(grouped.steps[2].outside.evaluation_ns, 100);
  EXPECT_EQ(grouped.steps[4].epochs_begun, 1);
}

TEST(StepGrouper, ABatchForTheStepThatComesIsNoEvaluation) {
  Script script = Script().note(optimizer).begin_epoch(0, 16, 64, 0).train(2);
  script.begin_epoch(1, 4, 8, 1).batch(1).note(call).train(1);  // both batches are trained with
  const GroupedNotes grouped = script.note(ask).group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 20}));
  EXPECT_EQ(grouped.evaluations, 0);
  EXPECT_EQ(grouped.training_loaders, (Counts{0, 1}));
}

TEST(StepGrouper, WhatIsFetchedToItsEndBeforeItTrainsIsNoEvaluation) {
  Script script = Script().note(optimizer);
  for (int epoch_of = 0; epoch_of < 3; ++epoch_of) {  // one batch an epoch, the end asked for ahead
    script.begin_epoch(0, 16, 16, 0).batch().note(ask).note(end).passes().update();
  }
  const GroupedNotes grouped = script.begin_epoch(0, 16, 16, 0).note(ask).group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 16}));
  EXPECT_EQ(grouped.evaluations, 0);
  EXPECT_FALSE(grouped.evaluates_with_gradients);
}

TEST(StepGrouper, EvaluationIsOutsideWhereverItStands) {
  Script script;
  script.note(optimizer).evaluate(1, 2, 1);  // before anything is trained
  script.begin_epoch(0, 16, 64, 0).train(2).evaluate(1, 3, 1).train(2).note(ask).note(end);
  script.evaluate(2, 1, 1);  // a new loader, for the same data
  const auto grouped = script.begin_epoch(0, 16, 64, 0).train(1).batch().group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 16, 16, 16}));
  EXPECT_EQ(grouped.training_loaders, (Counts{0}));
  EXPECT_EQ(grouped.evaluating_loaders, (Counts{1, 2}));
  EXPECT_EQ(grouped.evaluations, 3);
  EXPECT_GT(grouped.steps[2].outside.evaluation_ns, 90);
  EXPECT_EQ(grouped.steps[2].phases, grouped.steps[3].phases);
  EXPECT_EQ(grouped.steps[4].epochs_begun, 1);
}

TEST(StepGrouper, ABatchThatIsLookedAtFirstIsStillTrained) {
  Script script = Script().note(optimizer).begin_epoch(0, 16, 1'000, 0);
  for (int i = 0; i < 3; ++i) {
    script.batch().note(call, 1, 0, false).passes().update();
  }
  const auto grouped = script.batch().group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 16}));
  EXPECT_EQ(grouped.steps[1].outside.evaluation_ns, 0);
  EXPECT_EQ(grouped.training_loaders, (Counts{0}));
}

TEST(StepGrouper, CheckpointsAndPausesBetweenEpochsAreOutside) {
  Script script;
  script.note(optimizer).begin_epoch(0, 16, 32, 0).train(2).note(ask).note(end).sleep(490);
  script.note(save).sleep(990).note(save_end).begin_epoch(0, 16, 32, 0).train(1).batch();
  const auto grouped = script.group();
  ASSERT_EQ(grouped.steps.size(), 3U);
  EXPECT_EQ(grouped.steps[2].outside.checkpoint_ns, 1'000);
  EXPECT_EQ(grouped.steps[2].outside.pause_ns, 500 + 30);
}

TEST(StepGrouper, WithoutALoaderTheNextCallBeginsAStep) {
  Script script = Script().note(optimizer);
  for (int i = 0; i < 3; ++i) {
    script.note(call, 0, 24).note(back).note(back_end).update();
  }
  EXPECT_EQ(samples(script.group()), (Counts{24, 24}));
}

TEST(StepGrouper, ABatchThatIsKeptMakesAStepOfEachUpdate) {
  Script script = Script().note(optimizer).begin_epoch(0, 32, 320, 7).batch();
  for (int i = 0; i < 100; ++i) {
    script.passes().update();
  }
  const GroupedNotes grouped = script.group();
  EXPECT_EQ(grouped.steps.size(), 66U) << "the first 33 updates are not known to be steps";
  EXPECT_EQ(grouped.steps.front().samples, 32);
  EXPECT_TRUE(grouped.training_loaders.empty()) << "no setting of the loader matters";
}

TEST(StepGrouper, AnOptimizerForEachParameterIsOneStep) {
  Script script = Script().note(optimizer).begin_epoch(0, 32, 320, 7);
  for (int i = 0; i < 3; ++i) {
    script.batch().note(call).note(back);
    for (int parameter = 0; parameter < 100; ++parameter) {
      script.update();  // within the backward pass
    }
    script.note(back_end);
  }
  EXPECT_EQ(samples(script.group()), (Counts{32, 32}));
}

TEST(StepGrouper, RowsOfTheLargestCallAreTheSamplesOfAPass) {
  Script script = Script().note(optimizer);
  for (int i = 0; i < 3; ++i) {
    // steps in time, parts of the model
    script.note(call, 0, 32).note(call, 0, 32).note(call, 0, 32).note(back).note(back_end);
    script.note(call, 0, 32).note(back).note(back_end).update();  // accumulation
  }
  EXPECT_EQ(samples(script.group()), (Counts{64, 64}));
}

TEST(StepGrouper, WithoutACallTheNextBackwardPassDoes) {
  Script script = Script().note(optimizer);
  for (int i = 0; i < 3; ++i) {
    script.note(back).note(back_end).update();
  }
  EXPECT_EQ(script.group().steps.size(), 2U);
}

TEST(StepGrouper, WithoutAnOptimizerEachBackwardPassIsAStep) {
  Script script = Script().begin_epoch(0, 16, 1'000, 0);
  for (int i = 0; i < 3; ++i) {
    script.batch().passes();
  }
  const auto grouped = script.batch().group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 16}));
  EXPECT_FALSE(grouped.has_optimizer);
}

TEST(StepGrouper, BackwardPassesCountAsLongAsNoStepOfAnOptimizerIsSeen) {
  Script script = Script().note(optimizer).begin_epoch(0, 16, 1'000, 0);
  for (int i = 0; i < 3; ++i) {
    script.batch().passes();
  }
  EXPECT_TRUE(script.group().steps.empty());
  script.note(unseen).note(optimizer);
  for (int i = 0; i < 3; ++i) {
    script.batch().passes();
  }
  EXPECT_EQ(samples(script.batch().group()), (Counts{4 * 16, 16, 16}));
  EXPECT_FALSE(script.group().has_optimizer);
  script.passes().passes().update();
  EXPECT_TRUE(script.group().has_optimizer);
}

// For short steps the agent notes less: backward pass and optimizer are one part.
TEST(StepGrouper, StepsWithoutPartsCountAlike) {
  Script script = Script().note(optimizer).begin_epoch(0, 16, 1'000, 0);
  for (int i = 0; i < 3; ++i) {
    script.batch().note(call).note(back).note(step_end);
  }
  const auto grouped = script.batch().group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 16}));
  EXPECT_EQ(grouped.steps[1].phases, (trial::PhaseSums{10, 10, 10, 10, 0, 10}));
}

TEST(StepGrouper, InferenceCountsBatches) {
  Script script = Script().begin_epoch(0, 16, 40, 0);
  for (int i = 0; i < 3; ++i) {
    script.note(ask).note(got, 0, 0, false).note(call, 0, 0, false);
  }
  EXPECT_EQ(samples(script.note(ask).note(end).group(true)), (Counts{16, 16, 8}));
}

TEST(StepGrouper, CommandsOfTuneAreOutsideAndMarkWhereTheyWereObeyed) {
  Script script = Script().note(optimizer).begin_epoch(0, 16, 1'000, 0).train(2);
  script.note(mark, 0, 1, true).sleep(5'000).note(mark, 0, 1, false).train(2).batch();
  const auto grouped = script.group();
  ASSERT_EQ(grouped.marks.size(), 1U);
  EXPECT_EQ(grouped.marks[0].number, 1);
  EXPECT_EQ(grouped.marks[0].steps, 2U);
  EXPECT_EQ(grouped.steps[2].outside.tune_ns, 5'010);
  EXPECT_EQ(grouped.steps[2].wall_ns(), grouped.steps[3].wall_ns() + 10);
}

TEST(StepGrouper, StepsInWhichNotesWereLostAreLeftOut) {
  Script script = Script().note(optimizer).begin_epoch(0, 16, 1'000, 0).train(2).batch();
  const auto grouped = script.note(lost, 0, 256).passes().update().train(2).batch().group();
  EXPECT_EQ(samples(grouped), (Counts{16, 16, 16, 16}));
  EXPECT_EQ(grouped.lost_notes, 256);
}

// Whatever a script notes, the parts of each step sum to it and none is below zero.
TEST(StepGrouper, PartsSumToStepsWhateverComes) {
  std::mt19937 random(23);
  for (int round = 0; round < 300; ++round) {
    StepGrouper grouper(round % 5 == 0);
    std::int64_t moment_ns = 1'000;
    for (int i = 0; i < 400; ++i) {
      moment_ns += static_cast<std::int64_t>(random() % 50);
      grouper.add({.kind = static_cast<NoteKind>(1 + random() % kLastKind),
                   .flags = static_cast<std::uint8_t>(random() % 2),
                   .subject = static_cast<std::uint16_t>(random() % 3),
                   .number = static_cast<std::int32_t>(random() % 40) - 1,
                   .moment_ns = random() % 50 == 0 ? moment_ns - 100 : moment_ns});
    }
    for (const Step& step : grouper.result().steps) {
      EXPECT_EQ(step.phases.total_ns() + step.outside.total_ns(), step.end_ns - step.begin_ns);
      EXPECT_GE(step.wall_ns(), 0);
      EXPECT_GE(step.samples, 0);
    }
  }
}

}  // namespace
}  // namespace tune::script
