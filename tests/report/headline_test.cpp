#include "report/headline.h"

#include "report/failures.h"
#include "report/number_text.h"
#include "report/result_of.h"
#include "report/short_answer.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tune::report {
namespace {

campaign::CampaignResult confirmed(stats::Number gain, const std::string& verdict = "confirmed") {
  auto result = sample_result();
  result.confirmation->verdict = verdict;
  result.confirmation->pairs = gain.n;
  result.confirmation->gain = gain;
  result.confirmation->baseline.value = 58.3;
  result.confirmation->best.value = 58.3 * (1 + *gain.value);
  return result;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr double kSixPairs = 0.96875;

TEST(Headline, TellsGainIntervalPairsAndConfidenceOfTheConfirmation) {
  const auto result =
      confirmed({.value = 0.843, .lower = 0.821, .upper = 0.86, .confidence = kSixPairs, .n = 6});
  EXPECT_EQ(conclude(result).standing, Standing::faster);
  EXPECT_EQ(
      headline(result),
      setting_text(result.cells[1].cell) +
          " is 84.3 % faster than the baseline (CONFIRMED): 107.4 against 58.3 samples/s, gain "
          "[+82.1, +86.0] % in 6 fresh pairs, 96.8 % confidence.");
}

TEST(Headline, SaysBetterWhereTheObjectiveIsNotSpeed) {
  auto result = sample_result();
  const std::string usual = headline(result);
  for (const char* const speed : {"throughput", "step_time", "epoch_time"}) {
    result.scenario.objective = {.metric = speed};
    EXPECT_EQ(headline(result), usual);
  }
  std::string better = usual;
  better.replace(better.find("faster"), std::string("faster").size(), "better");
  result.scenario.objective = {.metric = "mfu"};
  EXPECT_EQ(headline(result), better + " Better means more MFU: that is the objective.");
  result.scenario.objective = {.metric = "energy_per_sample", .is_minimized = true};
  EXPECT_EQ(headline(result), usual) << "nothing counts it on the CPU";
  result.machine.device = "cuda";
  EXPECT_EQ(headline(result),
            better + " Better means less energy per sample: that is the objective.");
}

TEST(Headline, TellsTheMemoryOfBothSidesWhereThatIsTheObjective) {
  auto result = sample_result();
  result.scenario.objective = {.metric = "peak_memory_bytes", .is_minimized = true};
  for (campaign::TrialRecord& trial : result.trials) {
    if (trial.outcome.reply && trial.stage == "confirm") {
      trial.outcome.reply->peak_memory_bytes =
          trial.spec.cell == "baseline" ? std::int64_t{3} << 30 : std::int64_t{2} << 30;
    }
  }
  EXPECT_TRUE(contains(headline(result), ": median peak memory 2.00 GiB against 3.00 GiB, "))
      << headline(result);
  const auto stored = result_of(result);
  ASSERT_TRUE(stored.summary.objective);
  EXPECT_EQ(stored.summary.objective->best.value, std::pow(2, 31));
  EXPECT_TRUE(contains(short_answer(stored), " better in peak memory: change "))
      << short_answer(stored);
}

TEST(Headline, TellsThatTheGpuWasNotUsed) {
  auto result = sample_result();
  const std::string usual = headline(result);
  result.machine.no_gpu = "the driver supports CUDA 12.4";
  EXPECT_EQ(headline(result), usual + " On the CPU: the driver supports CUDA 12.4.");
  const std::string expected =
      "No GPU was used, although there is a driver: the driver supports CUDA 12.4. `tune doctor` "
      "says what to do.";
  const auto found = warnings(result);
  EXPECT_NE(std::find(found.begin(), found.end(), expected), found.end());
}

TEST(Headline, SaysThatNothingWasFasterWhenTheIntervalReachesZero) {
  const auto result = confirmed(
      {.value = 0.008, .lower = -0.005, .upper = 0.02, .confidence = kSixPairs, .n = 6}, "refuted");
  EXPECT_EQ(conclude(result).standing, Standing::not_faster);
  EXPECT_TRUE(headline(result).starts_with("No setting was measurably faster than the baseline"));
  EXPECT_TRUE(contains(headline(result), "+0.8 % (REFUTED), [-0.5, +2.0] % in 6 fresh pairs"));
}

TEST(Headline, SaysWhatIsUndecidedAndWhy) {
  auto result = confirmed(
      {.value = 0.03, .lower = -0.01, .upper = 0.08, .confidence = kSixPairs, .n = 6}, "ambiguous");
  result.confirmation->why = "at most +8.0 %";
  EXPECT_EQ(conclude(result).standing, Standing::undecided);
  EXPECT_TRUE(headline(result).starts_with("No proven gain: "));
  EXPECT_TRUE(
      contains(headline(result), " is faster than the baseline (AMBIGUOUS), gain [-1.0, +8.0] %"));
  EXPECT_FALSE(contains(headline(result), "+3.0 %")) << "no gain is named that is not proven";
  EXPECT_TRUE(contains(headline(result), "at most +8.0 %."));
}

TEST(Headline, SaysThatNothingIsWorthAChangeWhereTheSearchFoundNoCandidate) {
  auto result = sample_result();
  result.confirmation.reset();
  result.confirmations.clear();
  EXPECT_EQ(conclude(result).standing, Standing::nothing_faster);
  EXPECT_TRUE(headline(result).starts_with("No setting is worth a change: "));
}

TEST(Headline, SaysThatFreshPairsWereNotAskedFor) {
  auto result = sample_result();
  result.confirmation.reset();
  result.confirmations.clear();
  result.scenario.verify = "none";
  EXPECT_EQ(conclude(result).standing, Standing::provisional);
  EXPECT_TRUE(headline(result).starts_with("Provisional, not confirmed: "));
  EXPECT_TRUE(headline(result).ends_with("; fresh pairs were not asked for (--verify none)."));
}

TEST(Headline, SaysWhatABudgetLeftOutWhereOnlyTheBaselineWasMeasured) {
  auto result = sample_result();
  result.confirmation.reset();
  result.confirmations.clear();
  for (campaign::CellResult& cell : result.cells) {
    cell.gain.reset();
  }
  EXPECT_TRUE(headline(result).ends_with("no other setting completed.")) << headline(result);
  result.complete = false;
  result.incomplete_reason = "budget of 3s used up: 20 of 22 trials missing";
  EXPECT_EQ(conclude(result).standing, Standing::baseline_only);
  EXPECT_TRUE(headline(result).starts_with("Only the baseline was measured, "));
  EXPECT_TRUE(
      headline(result).ends_with(" samples/s: budget of 3s used up: 20 of 22 trials missing."))
      << headline(result);
}

TEST(Headline, RecommendsNothingThatBreaksAConstraint) {
  const std::vector<std::string> broken = {"peak_memory_ratio 0.93 is above 0.9"};
  auto result = sample_result();
  const std::string paired = setting_text(result.cells[1].cell);
  result.cells[1].broken_constraints = broken;
  result.confirmations[0].broken_constraints = broken;
  result.confirmation.reset();
  const Conclusion next = conclude(result);
  EXPECT_EQ(next.standing, Standing::provisional);
  ASSERT_NE(next.best, nullptr);
  EXPECT_EQ(next.best, &result.cells[2]) << "the next one that may be set";
  EXPECT_TRUE(contains(headline(result),
                       paired + ", which ran in fresh pairs, breaks a constraint: "
                                "peak_memory_ratio 0.93 is above 0.9."))
      << headline(result);
  for (campaign::CellResult& cell : result.cells) {
    cell.broken_constraints = broken;
  }
  result.confirmations.clear();
  const Conclusion none = conclude(result);
  EXPECT_EQ(none.standing, Standing::nothing_faster);
  EXPECT_EQ(none.best, nullptr);
  EXPECT_EQ(headline(result),
            "No setting can be recommended: every setting that completed breaks a constraint, such "
            "as " +
                paired + ": peak_memory_ratio 0.93 is above 0.9.");
}

TEST(Headline, IsNotSureAfterTooFewPairs) {
  auto result =
      confirmed({.value = 0.8, .lower = 0.7, .upper = 0.9, .confidence = 0.75, .n = 3}, "");
  EXPECT_EQ(conclude(result).standing, Standing::too_few_pairs);
  EXPECT_TRUE(headline(result).starts_with("Provisional: "));
  EXPECT_TRUE(contains(headline(result), "3 of 6 fresh pairs"));
  result = confirmed({.value = 0.8, .n = 1}, "");
  EXPECT_EQ(conclude(result).standing, Standing::too_few_pairs);
  EXPECT_TRUE(contains(headline(result), "no interval (n = 1)"));
  result.complete = false;
  result.incomplete_reason = "budget of 2m00s used up: 9 of 20 trials missing";
  EXPECT_TRUE(contains(headline(result), "too few pairs to be sure (budget of 2m00s used up: 9"));
}

TEST(Headline, NamesNoWinnerWhereTheIntervalHoldsZero) {
  auto result =
      confirmed({.value = 0.068, .lower = -0.21, .upper = 0.162, .confidence = 0.9375, .n = 5}, "");
  const std::string text = headline(result);
  EXPECT_TRUE(
      contains(text, "is not proven to differ from the baseline so far: gain [-21.0, +16.2] % in"))
      << text;
  EXPECT_FALSE(contains(text, "faster")) << text;
  EXPECT_FALSE(contains(text, "samples/s")) << text;
}

TEST(Headline, IsProvisionalWithoutConfirmation) {
  const auto result = unconfirmed_result();
  EXPECT_EQ(conclude(result).standing, Standing::provisional);
  EXPECT_TRUE(headline(result).starts_with("Provisional, not confirmed: "));
  EXPECT_TRUE(contains(headline(result), "in the search"));
  EXPECT_TRUE(contains(headline(result), "budget of 10m00s used up"));
}

TEST(Headline, CountsOnlyTheSettingsThatWereMeasured) {
  auto result = unconfirmed_result();
  std::int64_t measured = 0;
  for (campaign::CellResult& cell : result.cells) {
    if (cell.gain) {
      cell.gain->value = -0.1;
      ++measured;
    }
  }
  ASSERT_GT(measured, 2);
  ASSERT_LT(measured + 1, static_cast<std::int64_t>(result.cells.size()));
  EXPECT_TRUE(contains(headline(result),
                       "the best of " + std::to_string(measured) + " settings measured so far, "))
      << headline(result);
  for (campaign::CellResult& cell : result.cells) {
    if (cell.gain && measured > 1) {
      cell.gain.reset();
      --measured;
    }
  }
  EXPECT_TRUE(headline(result).starts_with(
      "Provisional, not confirmed: the only setting measured so far, "))
      << headline(result);
}

TEST(Headline, SaysWhyNothingCanBeCompared) {
  EXPECT_EQ(headline(empty_result()), "Nothing was measured: no trial was run.");
  EXPECT_TRUE(contains(headline(all_failed_result()),
                       "the baseline did not complete (out-of-memory: out of memory"));
  EXPECT_TRUE(contains(headline(result_with_cells(1)), "the grid holds no other setting"));
}

TEST(Headline, IsOneLineOfLimitedLengthWhateverTheKnobsHold) {
  auto result = hostile_result();
  for (auto& cell : result.cells) {
    cell.cell.changed["cpu_affinity"] = std::string(100'000, '\n');
  }
  EXPECT_FALSE(contains(headline(result), "\n"));
  EXPECT_LT(headline(result).size(), 1000U);
}

TEST(NumberText, RoundsForPeopleAndNeverPrintsANegativeZero) {
  EXPECT_EQ(gain_text(0.1843), "+18.4 %");
  EXPECT_EQ(gain_text(-0.0004), "+0.0 %");
  EXPECT_EQ(gain_text(-0.0044), "-0.4 %");
  EXPECT_EQ(number_text(7.249), "7.25");
  EXPECT_EQ(number_text(58.31), "58.3");
  EXPECT_EQ(number_text(1234.4), "1234");
  EXPECT_EQ(confidence_text(0.96875), "96.8 %") << "never more than it covers";
}

TEST(NumberText, SaysWhatIsNotKnownInsteadOfZero) {
  EXPECT_EQ(gain_text(std::nan("")), "not measured");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "not measured");
  EXPECT_EQ(gain_interval_text(stats::Number{.value = 0.1, .n = 1}), "no interval (n = 1)");
}

}  // namespace
}  // namespace tune::report
