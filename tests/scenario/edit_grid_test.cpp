#include "base/error.h"
#include "scenario/edit_scenario.h"
#include "scenario/scenario.h"

#include <gtest/gtest.h>

namespace tune::scenario {
namespace {

constexpr const char* kFile = "mine.yaml";
constexpr const char* kBegin = "tune: 1\nname: mine\nworkload: {model: mlp}  # small\n";
constexpr const char* kOther = "data: {source: synthetic}\nbaseline: {batch_size: 32}\n";
constexpr const char* kGrid = "  environment:\n    OMP_PROC_BIND: [\"none\", \"close\"]\n";

TEST(EditGrid, PutsAGridInThePlaceOfTheOldOne) {
  const std::string text = std::string(kBegin) + "grid:\n  amp: [none, bf16]\n\n" + kOther;
  EXPECT_EQ(with_grid(text, kFile, kGrid), std::string(kBegin) + kOther + "grid:\n" + kGrid);
  const Scenario scenario = read_scenario(with_grid(text, kFile, kGrid), kFile);
  ASSERT_EQ(scenario.grid.size(), 1u);
  EXPECT_EQ(scenario.grid[0].first, "environment.OMP_PROC_BIND");
}

TEST(EditGrid, AddsOneWhereThereIsNone) {
  std::string text = std::string(kBegin) + kOther;
  text.pop_back();
  EXPECT_EQ(with_grid(text, kFile, kGrid), text + "\ngrid:\n" + kGrid);
}

TEST(EditGrid, RefusesATextThatItCannotChangeAlone) {
  EXPECT_THROW(with_grid("{tune: 1, name: mine, workload: {model: mlp}}", kFile, kGrid), Error);
  EXPECT_THROW(with_grid(std::string(kBegin) + "...\n", kFile, kGrid), Error);
}

}  // namespace
}  // namespace tune::scenario
