// Names that other parts deliver must have the type that the table of further names gives them.

#include "rule/further_names.h"

#include <gtest/gtest.h>

#include <set>

namespace tune::rule {
namespace {

TEST(FurtherNames, HaveTheTypeOfTheMetricThatDeliversThem) {
  for (const FurtherName& further : further_names()) {
    const KnownName* const known = find_known_name(further.name);
    ASSERT_NE(known, nullptr) << further.name;
    EXPECT_TRUE(known->type.same_as(further.known.type)) << further.name;
  }
}

TEST(FurtherNames, StandOnce) {
  std::set<std::string_view> seen;
  for (const FurtherName& further : further_names()) {
    EXPECT_TRUE(seen.insert(further.name).second) << further.name;
  }
}

}  // namespace
}  // namespace tune::rule
