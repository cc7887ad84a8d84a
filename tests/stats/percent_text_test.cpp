#include "stats/percent_text.h"

#include <gtest/gtest.h>

#include <clocale>

namespace tune::stats {

TEST(PercentText, HasOnePlaceAndAPointInEveryLocale) {
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  EXPECT_EQ(percent_text(0.0396), "4.0 %");
  EXPECT_EQ(percent_text(-1), "-100.0 %");
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(percent_text(1e300).size(), 307U);
}

}  // namespace tune::stats
