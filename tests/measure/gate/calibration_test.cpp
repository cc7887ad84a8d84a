#include "measure/gate/calibration.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tune::gate {
namespace {

std::vector<Launch> launches_of(std::size_t count, double process_sd, double slice_sd) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<Launch> launches(count);
  for (Launch& launch : launches) {
    const double process = process_sd * normal(random);
    for (int i = 0; i < 5; ++i) {
      launch.slice_log_rates.push_back(4.6 + process + slice_sd * normal(random));
      launch.log_rate += launch.slice_log_rates.back() / 5;
    }
    launch.process_s = 2;
    launch.slices_s = 5;
  }
  return launches;
}

TEST(Calibration, FindsWhereTheNoiseLives) {
  const Calibration found = calibrate(launches_of(400, 0.01, 0.02), 0.01, 1);
  EXPECT_NEAR(found.noise.process_sd, 0.01, 0.003);
  EXPECT_NEAR(found.noise.slice_sd, 0.02, 0.002);
  EXPECT_NEAR(found.pair_sd, std::sqrt(2 * (0.01 * 0.01 + 0.02 * 0.02 / 5)), 0.003);
  EXPECT_EQ(found.verdicts, 20);
  EXPECT_EQ(found.alarms, 0);
  EXPECT_NEAR(found.false_alarm_bound, 1 - std::pow(0.05, 1.0 / 20), 1e-9);
}

TEST(Calibration, TheSmallestDetectableEffectIsThatOfTheTables) {
  // Normal differences of sd 1 % and 2 %, m = 1 %: 2.0 % and 3.0 % by the last look.
  EXPECT_NEAR(calibrate(launches_of(400, 0.01 / std::sqrt(2), 0), 0.01, 1).mde, 0.020, 0.004);
  EXPECT_NEAR(calibrate(launches_of(400, 0.02 / std::sqrt(2), 0), 0.01, 1).mde, 0.030, 0.006);
}

TEST(Calibration, TheBudgetIsNotBelowWhatCanBeDetected) {
  const Calibration noisy = calibrate(launches_of(60, 0.03, 0.01), 0.01, 1);
  EXPECT_GE(noisy.budget, noisy.mde);
  EXPECT_GT(noisy.chance_above, noisy.chance_at_budget);
  EXPECT_DOUBLE_EQ(calibrate(launches_of(40, 0.0005, 0.0005), 0.01, 1).budget, 0.02);
}

TEST(Calibration, InjectedSlowdownsAreJudgedAsAGateWould) {
  std::vector<double> differences;
  for (int i = 0; i < 10; ++i) {
    differences.push_back(std::log(1.1) + 0.001 * i);
  }
  const Detection found = detect(differences, 0.1, 0.098, 0.03, 0.01);
  EXPECT_EQ(found.verdict, "REGRESSED");
  EXPECT_NEAR(found.found_ratio, 0.105, 0.005);
  EXPECT_EQ(detect({}, 0.1, 0, 0.03, 0.01).verdict, "INCONCLUSIVE");
}

TEST(Calibration, AGateWithEqualSidesAddsToIt) {
  Calibration calibration = calibrate(launches_of(40, 0.01, 0.01), 0.01, 1);
  const auto before = calibration.differences.size();
  add_equal_gate(calibration, {0.01, -0.01, 0.002}, false, 0.01);
  EXPECT_EQ(calibration.differences.size(), before + 3);
  EXPECT_EQ(calibration.verdicts, 3);
  EXPECT_EQ(false_alarm_text(calibration), "0 of 3, <= 63.2 %");
}

TEST(Calibration, APairThatWasNotJudgedAddsNoiseAndNoVerdict) {
  Calibration calibration = calibrate(launches_of(40, 0.01, 0.01), 0.01, 1);
  const Calibration before = calibration;
  add_equal_pairs(calibration, {0.5}, 0.01);
  ASSERT_EQ(calibration.differences.size(), before.differences.size() + 1);
  EXPECT_DOUBLE_EQ(calibration.differences.back(), 0.5);
  EXPECT_EQ(calibration.verdicts, before.verdicts);
  EXPECT_DOUBLE_EQ(calibration.false_alarm_bound, before.false_alarm_bound);
}

TEST(Calibration, SurvivesTheWayThroughTheFile) {
  Calibration calibration = calibrate(launches_of(40, 0.01, 0.01), 0.01, 1);
  calibration.scenario = "mlp";
  calibration.key = {"cd", "ab", "ef"};
  calibration.utc = "2026-11-21T12:00:00Z";
  calibration.detections.push_back(detect({0.1, 0.1}, 0.1, 0.1, 0.03, 0.01));
  EXPECT_EQ(to_json(parse_calibration(to_json(calibration), "c.json")), to_json(calibration));
  for (const char* text : {"", "{}", R"({"schema": "tune-calibration/2"})"}) {
    EXPECT_THROW(parse_calibration(text, "c.json"), Error);
  }
}

}  // namespace
}  // namespace tune::gate
