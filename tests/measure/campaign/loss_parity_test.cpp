#include "measure/campaign/confirmation_result.h"

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

TEST(LossParity, IsNotAskedOfATrainingThatIsAnotherOneEachTime) {
  RecordedRun run = run_of("num_workers", {{1, 2.4}}, {{1, 2.3}});
  run.trials.push_back(confirming("baseline", {{1, 2.5}}));
  const auto parity = loss_parity(run, 1);
  EXPECT_FALSE(parity.differs);
  EXPECT_EQ(parity.text,
            "not compared: the baseline's own losses differ by 4.2 % from trial to trial");
}

TEST(LossParity, IsNotAskedOfKnobsThatMayChangeTheNumbers) {
  const auto parity = loss_parity(run_of("batch_size", {{1, 2.4}}, {{1, 1.4}}), 1);
  EXPECT_FALSE(parity.differs);
  EXPECT_EQ(parity.text, "not compared: batch_size may change the numbers");
}

}  // namespace
}  // namespace tune::campaign
