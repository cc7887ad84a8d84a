#include "base/stats/signed_rank.h"

#include "known_samples.h"
#include "machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tune::stats {

namespace {

std::vector<double> negated(std::vector<double> samples) {
  for (double& sample : samples) {
    sample = -sample;
  }
  return samples;
}

// Every pattern of signs, one by one.
std::vector<std::uint64_t> counts_by_enumeration(std::int64_t n) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(n * (n + 1) / 2) + 1);
  for (std::uint64_t signs = 0; signs < std::uint64_t{1} << n; ++signs) {
    std::size_t sum = 0;
    for (std::uint64_t left = signs; left != 0; left &= left - 1) {
      sum += static_cast<std::size_t>(std::countr_zero(left)) + 1;
    }
    ++counts[sum];
  }
  return counts;
}

std::vector<double> draw(noise::RandomStream& random, std::size_t n) {
  std::vector<double> samples(n);
  for (double& sample : samples) {
    sample = random.normal();
  }
  return samples;
}

}  // namespace

TEST(SignedRankCounts, AgreeWithEnumeration) {
  EXPECT_EQ(signed_rank_counts(4), (std::vector<std::uint64_t>{1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1}));
  for (std::int64_t n = 0; n <= 14; ++n) {
    EXPECT_EQ(signed_rank_counts(n), counts_by_enumeration(n)) << n;
  }
}

TEST(SignedRankCounts, FitIn64BitsUpTo62Samples) {
  const std::vector<std::uint64_t> counts = signed_rank_counts(62);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}),
            std::uint64_t{1} << 62);
  EXPECT_TRUE(std::equal(counts.begin(), counts.end(), counts.rbegin()));
}

TEST(SignedRankK, IsTheTabulatedOne) {
  struct Column {
    std::int64_t n, strict, gate, advice;
  };
  for (const auto& [n, strict, gate, advice] : {Column{10, 0, 3, 8},
                                                Column{11, 2, 5, 10},
                                                Column{12, 3, 7, 13},
                                                Column{13, 5, 9, 17},
                                                Column{14, 8, 12, 21},
                                                Column{16, 13, 19, 29},
                                                Column{17, 17, 23, 34},
                                                Column{20, 29, 37, 52},
                                                Column{24, 50, 61, 81},
                                                Column{26, 63, 75, 98}}) {
    EXPECT_EQ(signed_rank_k(n, .005 / 3), strict) << n;
    EXPECT_EQ(signed_rank_k(n, .005), gate) << n;
    EXPECT_EQ(signed_rank_k(n, .025), advice) << n;
  }
}

TEST(SignedRankK, OfTooFewSamplesDoesNotExist) {
  EXPECT_FALSE(signed_rank_k(9, .005 / 3).has_value());
  EXPECT_FALSE(signed_rank_k(5, .025).has_value());
  EXPECT_EQ(signed_rank_k(6, .025), 0);
  EXPECT_EQ(signed_rank_k(4, 1.0 / 16), 0) << "P(W = 0) may be equal to the level";
}

TEST(SignedRankCdf, SpendsWhatTheLooksAreSaidToSpend) {
  EXPECT_NEAR(signed_rank_cdf(0, 10), .00098, 5e-6);
  EXPECT_NEAR(signed_rank_cdf(13, 16), .00134, 5e-6);
  EXPECT_NEAR(signed_rank_cdf(50, 24), .00157, 5e-6);
  EXPECT_EQ(signed_rank_cdf(-1, 10), 0);
  EXPECT_EQ(signed_rank_cdf(55, 10), 1);
  EXPECT_EQ(signed_rank_cdf(1000, 10), 1);
}

TEST(SignedRankCdf, GoesOnSmoothlyWhereCountsNoLongerFit) {
  // Symmetric about n (n + 1) / 4 there, too, and as wide as theory says.
  for (const std::int64_t n : {63, 100, 200}) {
    const std::int64_t most = n * (n + 1) / 2;
    for (const std::int64_t k : {most / 4, most / 3, most / 2}) {
      EXPECT_NEAR(signed_rank_cdf(k, n) + signed_rank_cdf(most - k - 1, n), 1, 1e-12);
    }
    const auto real = static_cast<double>(n);
    const double sd = std::sqrt(real * (real + 1) * (2 * real + 1) / 24);
    const auto two_sd_below = static_cast<std::int64_t>(real * (real + 1) / 4 - 1.96 * sd);
    EXPECT_NEAR(signed_rank_cdf(two_sd_below, n), .025, .001);
  }
}

// Reference values: SciPy 1.17 in its exact mode.
TEST(LocationBounds, AgreeWithReferenceSamples) {
  struct Reference {
    const std::vector<double>& samples;
    double p, estimate;
    std::vector<std::pair<double, double>> bounds;  // at .025, .005 and .005 / 3
    std::int64_t k;                                 // at .005 / 3
  };
  const std::vector<Reference> references = {
      {known::kSampleA, .004882812, .34, {{.13, .55}, {.045, .655}, {-.12, .73}}, 0},
      {known::kSampleB, .338623047, .2125, {{-.925, 1.35}, {-1.3, 1.8}, {-1.9, 2.3}}, 3},
      {known::kSampleC, .000976562, 5.395, {{4.93, 5.86}, {4.71, 6.05}, {4.38, 6.41}}, 0},
      {known::kSampleD, .006546021, .9025, {{.185, 1.605}, {-.055, 1.93}, {-.225, 2.15}}, 13}};
  const std::vector<double> levels = {.025, .005, .005 / 3};
  for (const Reference& reference : references) {
    EXPECT_NEAR(p_not_above(reference.samples, 0), reference.p, 1e-9);
    EXPECT_NEAR(hodges_lehmann(reference.samples), reference.estimate, 1e-12);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const LocationBounds found = location_bounds(reference.samples, levels[i]);
      EXPECT_NEAR(found.lower, reference.bounds[i].first, 1e-12);
      EXPECT_NEAR(found.upper, reference.bounds[i].second, 1e-12);
      EXPECT_NEAR(found.estimate, reference.estimate, 1e-12);
      EXPECT_EQ(found.warning, "");
    }
    EXPECT_EQ(location_bounds(reference.samples, .005 / 3).k, reference.k);
  }
}

TEST(LocationBounds, OfTiesAndZerosNeedNoRanks) {
  const std::vector<double> ties = {0, 1, 1, -1, 2, 2, 3, 0, 2, 1};
  EXPECT_EQ(p_not_above(ties, 0), .0322265625);
  const LocationBounds bounds = location_bounds(ties, .025);
  EXPECT_EQ(bounds.lower, 0);
  EXPECT_EQ(bounds.upper, 2);
  EXPECT_EQ(bounds.estimate, 1);
}

TEST(LocationBounds, OfTooFewSamplesAreInfiniteAndSaySo) {
  const LocationBounds bounds = location_bounds({1, 2, 3, 4}, .005 / 3);
  EXPECT_EQ(bounds.lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(bounds.upper, std::numeric_limits<double>::infinity());
  EXPECT_EQ(bounds.estimate, 2.5);
  EXPECT_EQ(bounds.warning, "too few samples: 4 of at least 10");
}

TEST(LocationBounds, AgreeWithThePValueAtEveryThreshold) {
  noise::RandomStream random(7);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::vector<double> samples = draw(random, 6 + static_cast<std::size_t>(repeat % 19));
    const double threshold = random.normal();
    EXPECT_EQ(p_not_above(samples, threshold) <= .025,
              location_bounds(samples, .025).lower > threshold);
  }
}

TEST(LocationBounds, TurnWithTheSamplesAndMoveWithThem) {
  noise::RandomStream random(8);
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<double> samples = draw(random, 12);
    const LocationBounds bounds = location_bounds(samples, .005);
    const LocationBounds turned = location_bounds(negated(samples), .005);
    EXPECT_EQ(turned.lower, -bounds.upper);
    EXPECT_EQ(turned.upper, -bounds.lower);
    EXPECT_DOUBLE_EQ(turned.estimate, -bounds.estimate);
    for (double& sample : samples) {
      sample += 4;
    }
    EXPECT_NEAR(location_bounds(samples, .005).lower, bounds.lower + 4, 1e-12);
  }
}

TEST(LowerLocationBound, IsTheLowerOfTheBounds) {
  noise::RandomStream random(5);
  for (std::size_t n = 10; n <= 24; ++n) {
    const std::vector<double> samples = draw(random, n);
    const LocationBounds both = location_bounds(samples, .005);
    EXPECT_EQ(lower_location_bound(samples, *both.k), both.lower) << n;
  }
}

TEST(LocationBounds, MissAsRarelyAsTheyClaim) {
  noise::RandomStream random(9);
  constexpr int kRepeats = 5000;
  int missed = 0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    missed += location_bounds(draw(random, 12), .025).lower > 0 ? 1 : 0;
  }
  // k = 13: P(W <= 13) = .0212
  EXPECT_NEAR(missed / static_cast<double>(kRepeats), signed_rank_cdf(13, 12), .006);
}

}  // namespace tune::stats
