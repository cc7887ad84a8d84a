#include "measure/campaign/loss_parity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::campaign {
namespace {

TrialRecord confirming(const std::string& cell, std::vector<trial::Loss> losses) {
  TrialRecord record;
  record.stage = "confirm";
  record.spec.cell = cell;
  record.outcome.kind = runner::OutcomeKind::completed;
  record.outcome.reply.emplace();
  record.outcome.reply->losses = std::move(losses);
  return record;
}

RecordedRun run_of(const std::string& knob,
                   std::vector<trial::Loss> baseline,
                   std::vector<trial::Loss> changed) {
  RecordedRun run;
  run.plan.cells.resize(2);
  run.plan.cells[0].id = "baseline";
  run.plan.cells[1].id = "c01";
  run.plan.cells[1].changed[knob] = std::int64_t{2};
  run.trials.push_back(confirming("baseline", std::move(baseline)));
  run.trials.push_back(confirming("c01", std::move(changed)));
  return run;
}

TEST(LossParity, HoldsWhereOnlyTheLastDigitsDiffer) {
  const auto parity = loss_parity(
      run_of("num_workers", {{1, 2.38829}, {2, 2.2429}}, {{1, 2.38829}, {2, 2.24323}}), 1);
  EXPECT_FALSE(parity.differs);
  EXPECT_NE(parity.text.find("at 2 early steps"), std::string::npos) << parity.text;
}

TEST(LossParity, DoesNotCompareStepsAtWhichTrainingHasAmplifiedTheLastDigits) {
  const auto parity =
      loss_parity(run_of("num_workers", {{1, 2.4}, {8, 1.9}}, {{1, 2.4}, {8, 1.5}}), 1);
  EXPECT_FALSE(parity.differs);
}

TEST(LossParity, DiffersWhereOtherSamplesWereTrainedOn) {
  EXPECT_TRUE(loss_parity(run_of("num_workers", {{1, 2.4}}, {{1, 2.3}}), 1).differs);
}

TEST(LossParity, DiffersWhereALossIsNoNumber) {
  EXPECT_TRUE(loss_parity(run_of("num_workers", {{1, 2.4}}, {{1, std::nan("")}}), 1).differs);
}

TEST(LossParity, IsEqualToTheLastDigitOverAllStepsOfEveryPair) {
  RecordedRun run = run_of("pin_memory", {{1, 2.4}, {8, 1.9}}, {{1, 2.4}, {8, 1.9}});
  EXPECT_EQ(loss_parity(run, 1).text,
            "equal to the baseline's to the last digit in 1 pair: numerics are preserved");
  for (const char* const cell : {"baseline", "c01"}) {
    run.trials.push_back(confirming(cell, {{1, 2.4}, {8, 1.9}}));
    run.trials.back().round = 2;
  }
  EXPECT_NE(loss_parity(run, 1).text.find(" in 2 pairs: "), std::string::npos);
  run.trials.back().outcome.reply->losses.back().value = 1.9000001;
  EXPECT_EQ(loss_parity(run, 1).text, "within 0 % of the baseline's at 1 early step");
}

TEST(LossParity, IsWithinTheSpreadOfATrainingThatIsAnotherOneEachTime) {
  RecordedRun run = run_of("num_workers", {{1, 2.4}}, {{1, 2.45}});
  run.trials.push_back(confirming("baseline", {{1, 2.5}}));
  const auto parity = loss_parity(run, 1);
  EXPECT_FALSE(parity.differs);
  EXPECT_EQ(parity.text, "within the baseline's own spread (4.2 % from trial to trial)");
}

TEST(LossParity, IsNotAskedBeyondTheSpreadOfATrainingThatIsAnotherOneEachTime) {
  RecordedRun run = run_of("num_workers", {{1, 2.4}}, {{1, 2.2}});
  run.trials.push_back(confirming("baseline", {{1, 2.5}}));
  const auto parity = loss_parity(run, 1);
  EXPECT_FALSE(parity.differs);
  EXPECT_EQ(parity.text,
            "not compared: the baseline's own losses differ by 4.2 % from trial to trial");
}

TEST(LossParity, ComparesMeansWhereWorkersOfAScriptDrawRandomNumbersOfTheirOwn) {
  RecordedRun run =
      run_of("num_workers", {{1, 2.4}, {2, 2.0}, {3, 1.6}}, {{1, 2.3}, {2, 2.1}, {3, 1.6}});
  EXPECT_TRUE(loss_parity(run, 1).differs) << "tune's own loader draws the same numbers";
  run.scenario.workload.script.command = {"python3", "train.py"};
  const auto parity = loss_parity(run, 1);
  EXPECT_FALSE(parity.differs);
  EXPECT_TRUE(parity.text.ends_with(
      " of the baseline's over 3 steps: workers draw random numbers of their own"))
      << parity.text;
  run.trials.back().outcome.reply->losses = {{1, 9}, {2, 9}, {3, 9}};
  EXPECT_TRUE(loss_parity(run, 1).differs) << "another training";
}

TEST(LossParity, SaysWhatAKnobThatMayChangeTheNumbersDid) {
  RecordedRun run = run_of("amp", {{1, 2.0}}, {{1, 2.1}});
  run.plan.cells[1].changed["amp"] = std::string("bf16");
  const auto parity = loss_parity(run, 1);
  EXPECT_FALSE(parity.differs);
  EXPECT_EQ(parity.text,
            "within 5 % of the baseline's at 1 early step: amp=bf16 may change the numbers");
}

TEST(LossParity, DoesNotBlameAnAllocatorForTheNumbers) {
  RecordedRun run = run_of("environment.GLIBC_TUNABLES", {{1, 2.0}}, {{1, 2.0}});
  trial::KnobValue& value = run.plan.cells[1].changed["environment.GLIBC_TUNABLES"];
  value = std::string("glibc.malloc.mmap_max=0");
  EXPECT_EQ(loss_parity(run, 1).text,
            "equal to the baseline's to the last digit in 1 pair: numerics are preserved");
  value = std::string("glibc.cpu.hwcaps=-AVX2");
  EXPECT_TRUE(loss_parity(run, 1).text.ends_with(" may change the numbers"));
}

TEST(LossParity, NamesTheSizeThatTheLearningRateWasChosenFor) {
  RecordedRun run = run_of("batch_size", {{1, 2.4}}, {{1, 1.4}});
  run.plan.cells[0].knobs["batch_size"] = std::int64_t{32};
  const auto parity = loss_parity(run, 1);
  EXPECT_FALSE(parity.differs);
  EXPECT_EQ(parity.text,
            "not compared: batch_size=2 trains on other batches, and learning rate and schedule "
            "were chosen for 32");
}

TEST(LossParity, WithoutPairsSaysOfWhatTheNumbersMayChange) {
  EXPECT_EQ(losses_without_pairs({"pin_memory", "prefetch_factor"}, "32"), "");
  EXPECT_EQ(losses_without_pairs({"pin_memory", "amp"}, "32"),
            "not compared: amp may change the numbers");
  EXPECT_EQ(losses_without_pairs({"num_workers"}, "32"),
            "not compared: workers draw random numbers of their own");
  EXPECT_EQ(losses_without_pairs({"amp", "batch_size"}, "32"),
            "not compared: another batch_size trains on other batches, and learning rate and "
            "schedule were chosen for 32");
  EXPECT_TRUE(losses_without_pairs({"batch_size"}, "").ends_with(" chosen for the script's own"));
}

}  // namespace
}  // namespace tune::campaign
