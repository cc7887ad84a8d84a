#include "base/stats/sign_interval.h"

#include "base/stats/quantile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace tune::stats {

TEST(SignInterval, OfSixSamplesIsTheirRangeAndCoversExactly96875) {
  const SignInterval interval = sign_interval({1.3, 1.1, 1.6, 1.2, 1.5, 1.4});
  EXPECT_EQ(interval.lower, 1.1);
  EXPECT_EQ(interval.upper, 1.6);
  EXPECT_EQ(interval.confidence, 0.96875);
  EXPECT_EQ(interval.k, 0);
  EXPECT_EQ(interval.warning, "");
}

// Samples and intervals: reference values computed with SciPy 1.17.
TEST(SignInterval, AgreesWithReferenceSamples) {
  struct Reference {
    std::vector<double> samples;
    double lower, upper;
  };
  const std::vector<Reference> references = {
      {{.31, -.12, .58, .44, .27, .73, -.05, .39, .66, .21}, -.05, .66},
      {{-1.9, .4, 2.3, -.7, 1.1, 3.2, -2.6, .9, -.2, 1.6, .05, -1.3}, -1.3, 1.6},
      {{5.12, 4.71, 6.03, 5.48, 4.95, 5.87, 5.26, 6.41, 4.38, 5.69}, 4.71, 6.03},
      {{.82, 1.37, -.45, 2.91, .14, 1.75, -1.08, .63, 2.24, -.29, 1.52, .97, 3.48, -.76, 1.19, .38},
       -.29,
       1.75}};
  for (const Reference& reference : references) {
    const SignInterval interval = sign_interval(reference.samples);
    EXPECT_EQ(interval.lower, reference.lower);
    EXPECT_EQ(interval.upper, reference.upper);
    EXPECT_GE(interval.confidence, 0.95);
  }
}

TEST(SignInterval, OfTooFewSamplesSaysWhatItReallyCovers) {
  const SignInterval three = sign_interval({1, 2, 3});
  EXPECT_EQ(three.confidence, 0.75);
  EXPECT_EQ(three.warning, "too few samples for 95 %: this interval covers 75 %");
  EXPECT_EQ(sign_interval({1, 2}).confidence, 0.5);
  EXPECT_EQ(sign_interval({1, 2, 3, 4, 5}).confidence, 0.9375);
}

// A sum of up to half a million terms, which grows by one for each rank.
TEST(SignInterval, OfAMillionSamplesTakesNoLongerThanToSortThem) {
  std::vector<double> samples(1'000'000);
  std::iota(samples.begin(), samples.end(), 0.0);
  const SignInterval interval = sign_interval(std::move(samples));
  EXPECT_NEAR(interval.lower, 499'020, 2);  // 1.96 standard deviations, of 500 samples each
  EXPECT_NEAR(interval.upper, 500'979, 2);
  EXPECT_NEAR(interval.confidence, 0.95, 1e-3);
}

TEST(SignInterval, CoversTheMedianAsOftenAsItClaims) {
  std::mt19937_64 random(42);
  std::exponential_distribution<double> skewed(1.0);  // median ln 2: no symmetry is assumed
  for (const std::size_t n : {3U, 6U, 10U, 17U}) {
    constexpr int kRepeats = 20000;
    int covered = 0;
    double claimed = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      std::vector<double> samples(n);
      for (double& sample : samples) {
        sample = skewed(random);
      }
      const SignInterval interval = sign_interval(samples);
      covered += interval.lower <= std::log(2.0) && std::log(2.0) <= interval.upper ? 1 : 0;
      claimed = interval.confidence;
    }
    EXPECT_NEAR(covered / static_cast<double>(kRepeats), claimed, 0.01) << n;
  }
}

TEST(SignInterval, ContainsTheSampleMedianAlsoForHundredsOfSamples) {
  std::vector<double> samples;
  for (int i = 0; i < 501; ++i) {
    samples.push_back((i * 7919) % 501);
  }
  const SignInterval interval = sign_interval(samples);
  EXPECT_LT(interval.lower, median(samples));
  EXPECT_GT(interval.upper, median(samples));
  EXPECT_GE(interval.confidence, 0.95);
  EXPECT_LT(interval.confidence, 0.97);
}

}  // namespace tune::stats
