#include "machine/probe/decode_cost.h"
#include "machine/probe/memory_speed.h"
#include "machine/probe/probe_record.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::probe {
namespace {

constexpr Effort kNoTime{.is_quick = true, .deadline_ns = 0};

TEST(Number, IsTheMedianAndHowNoisyItIs) {
  const Number number = of_samples({"x_rate", "", "B/s"}, {1, 9, 10, 11, 40});
  EXPECT_EQ(number.value, 10);
  EXPECT_DOUBLE_EQ(number.noise, 0.1) << "half of 9 to 11";
  EXPECT_EQ(number.n, 5);
  EXPECT_EQ(number.reason, "");
}

TEST(Number, WithoutARepetitionHasAReason) {
  const Number number = of_samples({"x_rate", "", "B/s"}, {});
  EXPECT_FALSE(number.value.has_value());
  EXPECT_EQ(number.reason, "no repetition finished");
}

TEST(ThreadCounts, AreAFewUpToAllCpus) {
  EXPECT_EQ(thread_counts(1), (std::vector<int>{1}));
  EXPECT_EQ(thread_counts(2), (std::vector<int>{1, 2}));
  EXPECT_EQ(thread_counts(6), (std::vector<int>{1, 2, 4, 6}));
  EXPECT_EQ(thread_counts(128), (std::vector<int>{1, 2, 4, 8, 128}));
  EXPECT_EQ(thread_counts(0), (std::vector<int>{1}));
}

TEST(MemorySpeed, BehindItsDeadlineSaysSoForEachNumber) {
  const auto numbers = memory_speed({1, 2}, kNoTime);
  ASSERT_EQ(numbers.size(), 3U);
  for (const Number& number : numbers) {
    EXPECT_FALSE(number.value.has_value());
    EXPECT_EQ(number.reason, "the probe ran out of time");
  }
}

TEST(MemorySpeed, MeasuresCopiesAndPageFaults) {
  const auto numbers = memory_speed(
      {1, 2}, {.is_quick = true, .deadline_ns = std::numeric_limits<std::int64_t>::max()});
  ASSERT_EQ(numbers.size(), 3U);
  EXPECT_EQ(numbers[1].label, "2 threads");
  for (const Number& number : numbers) {
    EXPECT_GT(number.value.value_or(0), 1e3) << number.id << ": " << number.reason;
    EXPECT_EQ(number.n, 3);
  }
}

TEST(DecodeFit, FindsBothTerms) {
  std::vector<DecodeTime> images;
  for (int i = 1; i <= 12; ++i) {
    const double kb = 50.0 + 10 * i;
    const double kpx = 300.0 - 20 * i;
    images.push_back({kb, kpx, 5.7 * kb + 2.05 * kpx});
  }
  const auto fit = fit_decode(images);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->per_kb, 5.7, 1e-9);
  EXPECT_NEAR(fit->per_kpx, 2.05, 1e-9);
  EXPECT_NEAR(fit->error, 0, 1e-12);
  images[3].microseconds *= 1.5;
  EXPECT_GT(fit_decode(images)->error, 0.001);
}

TEST(DecodeFit, KnowsWhenTheTermsCannotBeToldApart) {
  std::vector<DecodeTime> images;
  for (int i = 1; i <= 12; ++i) {
    images.push_back({10.0 * i, 20.0 * i, 100.0 * i});
  }
  EXPECT_FALSE(fit_decode(images).has_value()) << "all have the same bytes per pixel";
  EXPECT_FALSE(fit_decode({{1, 2, 3}, {2, 1, 4}}).has_value()) << "too few";
  images[0] = {1, 2, 0};
  EXPECT_FALSE(fit_decode(images).has_value()) << "a clock that did not move";
  EXPECT_FALSE(fit_decode({}).has_value());
}

}  // namespace
}  // namespace tune::probe
