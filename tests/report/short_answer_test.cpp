#include "report/short_answer.h"

#include "report/result_of.h"
#include "sample_result.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

TEST(ShortAnswer, SaysTheProvenGainAndHowManySettingsItTakes) {
  result::Result result = result_of(sample_result());
  result.summary.best.gain.value = 0.666;
  result.summary.best.side.changed.resize(1);
  EXPECT_EQ(short_answer(result), "66.6 % faster: change 1 setting");
  EXPECT_EQ(mood_of_answer(result), Mood::good);
}

TEST(ShortAnswer, OfAVagueGainItSaysTheLeastAndDoubtsTheSize) {
  result::Result result = result_of(sample_result());
  result.warnings.clear();
  result.findings.clear();
  result.summary.best.side.changed.resize(1);
  stats::Number& gain = result.summary.best.gain;
  gain.value = 6.438;
  gain.lower = 2.028;
  gain.upper = 18.679;
  EXPECT_EQ(short_answer(result), "at least 202.8 % faster: change 1 setting");
  EXPECT_EQ(trust_in(result).grade, "fair");
  EXPECT_NE(trust_in(result).doubt.find("[+202.8, +1867.9] %"), std::string::npos);
  gain.upper = 5.05;  // less than twice as fast as at least
  EXPECT_EQ(short_answer(result), "643.8 % faster: change 1 setting");
  EXPECT_EQ(trust_in(result).grade, "good");
}

TEST(ShortAnswer, AGainThatIsNotProvenHasNoFigure) {
  result::Result result = result_of(sample_result());
  result.summary.best.verdict = "AMBIGUOUS";
  for (const char* standing : {"undecided", "provisional", "too-few-pairs", "not-faster", "new"}) {
    result.summary.standing = standing;
    EXPECT_EQ(short_answer(result).find('%'), std::string::npos) << standing;
    EXPECT_EQ(mood_of_answer(result), Mood::undecided) << standing;
  }
}

TEST(ShortAnswer, AnEpochIsTheSamplesAtBothRatesOfThePairs) {
  result::Result result = result_of(sample_result());
  result.environment.data.samples = 2000;
  result.summary.baseline.throughput.value = 40;
  result.summary.best.side.throughput.value = 80;
  EXPECT_EQ(epoch_words(result), "50s \u2192 25s (2,000 samples)");
  result.script.emplace();  // it may evaluate and save between its epochs
  EXPECT_EQ(epoch_words(result), "50s \u2192 25s (2,000 samples, training only)");
  result.summary.best.side.changed = {{"preload", true}};
  EXPECT_EQ(epoch_words(result),
            "50s \u2192 25s (2,000 samples, training only; the first one also reads them all into "
            "memory)");
  result.environment.data.samples.reset();
  EXPECT_EQ(epoch_words(result), "");
  result.environment.data.samples = 2000;
  result.summary.best.verdict = "AMBIGUOUS";
  EXPECT_EQ(epoch_words(result), "") << "nothing is promised that is not proven";
}

TEST(ShortAnswer, TrustIsAGradeWithAReasonAndAnAction) {
  result::Result result = result_of(sample_result());
  result.warnings.clear();
  result.findings.clear();
  EXPECT_EQ(trust_in(result).grade, "good");
  result.warnings = {"The machine was busy."};
  EXPECT_EQ(trust_in(result).grade, "fair");
  EXPECT_EQ(trust_in(result).doubt, "The machine was busy");
  result.summary.best.verdict = "AMBIGUOUS";
  const Trust trust = trust_in(result);
  EXPECT_EQ(trust.grade, "low");
  EXPECT_NE(trust.reason, "");
  EXPECT_NE(trust.action, "");
}

TEST(ShortAnswer, WhereMostTrialsWereDisturbedThatIsTheReasonForDoubt) {
  result::Result result = result_of(sample_result());
  result.summary.best.verdict = "AMBIGUOUS";
  result::Trial trial;
  trial.is_measured = true;
  result.provenance.trials = {trial, trial, trial};
  result.provenance.trials[0].disturbance = "other processes used 1.29 of 2 CPUs in c04 round 1";
  EXPECT_EQ(trust_in(result).reason.find("disturbed"), std::string::npos) << "one of three";
  result.provenance.trials[2].disturbance = "other processes used 0.4 of 2 CPUs in c05 round 1";
  EXPECT_EQ(trust_in(result).reason,
            "2 of 3 trials were disturbed: other processes used 1.29 of 2 CPUs");
  EXPECT_EQ(trust_in(result).action.substr(0, 24), "end the other work, then");
  result.summary.best.verdict = "CONFIRMED";
  EXPECT_EQ(trust_in(result).grade, "low");
  EXPECT_EQ(trust_in(result).doubt,
            "2 of 3 trials were disturbed: other processes used 1.29 of 2 CPUs");
}

}  // namespace
}  // namespace tune::report
