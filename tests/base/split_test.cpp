#include "base/split.h"

#include <gtest/gtest.h>

namespace tune {

using Parts = std::vector<std::string>;

TEST(Split, KeepsWhatIsEmpty) {
  EXPECT_EQ(split("a,b", ','), (Parts{"a", "b"}));
  EXPECT_EQ(split(",a,,b,", ','), (Parts{"", "a", "", "b", ""}));
}

TEST(Split, OfNoSeparatorIsTheWhole) {
  EXPECT_EQ(split("a,b", '|'), Parts{"a,b"});
  EXPECT_EQ(split("", ','), Parts{""});
}

}  // namespace tune
