#include "base/stats/log_ratio.h"

#include <gtest/gtest.h>

#include <clocale>

namespace tune::stats {

TEST(LogRatio, TreatsTwiceAndHalfAlike) {
  EXPECT_DOUBLE_EQ(log_ratio(2, 1), -log_ratio(1, 2));
  EXPECT_DOUBLE_EQ(gain_of(log_ratio(125, 100)), 0.25);
}

TEST(PercentText, HasOnePlaceAndAPointInEveryLocale) {
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  EXPECT_EQ(percent_text(0.0396), "4.0 %");
  EXPECT_EQ(percent_text(-1), "-100.0 %");
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(percent_text(1e300).size(), 307U);
}

}  // namespace tune::stats
