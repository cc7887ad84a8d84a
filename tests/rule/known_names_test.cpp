// Names that other parts deliver must have the type that the table of further names gives them.

#include "rule/further_names.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace tune::rule {
namespace {

namespace fs = std::filesystem;

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

std::string all_sources(const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "harness" / folder)) {
      const std::string name = entry.path().filename().string();
      // These list names: all, those that nothing measures, those that a slow profiler spoils.
      if (entry.path().extension() == ".cpp" && name != "further_names.cpp" &&
          name != "unmeasured.cpp" && name != "distortion.cpp") {
        std::ifstream file(entry.path());
        text.append(std::istreambuf_iterator<char>(file), {});
      }
    }
  }
  return text;
}

// Names are set as literals, so that this finds out.
TEST(FurtherNames, AreSetSomewhereOrSaidToBeMeasuredByNothing) {
  const std::string sources = all_sources({"metric", "telemetry", "rule", "advice", "campaign"});
  for (const FurtherName& further : further_names()) {
    const bool is_set = sources.find('"' + std::string(further.name) + '"') != std::string::npos;
    EXPECT_EQ(is_set, further.known.origin != Origin::nothing) << further.name;
  }
  EXPECT_STREQ(why_missing(Origin::nothing), "nothing measures it yet");
}

}  // namespace
}  // namespace tune::rule
