#include "sample_scenario.h"
#include "scenario/plan.h"

#include <gtest/gtest.h>

namespace tune::scenario {
namespace {

using Axis = std::vector<trial::KnobValue>;

std::string with_grid(const std::string& lines) {
  return sample("  amp: [none, bf16]\n", lines);
}

TEST(ReadVariables, AreTextsWhateverTheyLookLike) {
  const Scenario scenario = read_scenario(
      with_grid("  environment: {KMP_BLOCKTIME: [0, 1], OMP_PROC_BIND: [none, close, true]}\n"),
      "sample.yaml");
  ASSERT_EQ(scenario.grid.size(), 3U);
  EXPECT_EQ(scenario.grid[1].first, "environment.KMP_BLOCKTIME");
  EXPECT_EQ(scenario.grid[1].second, (Axis{std::string("0"), std::string("1")}));
  EXPECT_EQ(scenario.grid[2].second,
            (Axis{std::string("none"), std::string("close"), std::string("true")}));
}

TEST(ReadVariables, TheBaselineHasThemAsTheShellHas) {
  const Scenario scenario = read_scenario(
      with_grid("  environment.MALLOC_CONF: [none, \"background_thread:true\"]\n"), "sample.yaml");
  EXPECT_EQ(scenario.baseline.at("environment.MALLOC_CONF"), trial::KnobValue(std::string("none")));
  machine::MachineFacts machine;
  machine.cpus = 2;
  EXPECT_EQ(make_plan(scenario, machine).cells.size(), 4U);
}

TEST(ReadVariables, TheBaselineMaySetThem) {
  const Scenario scenario = read_scenario(
      sample("{batch_size: 32}", "{batch_size: 32, environment: {OMP_WAIT_POLICY: passive}}"),
      "sample.yaml");
  EXPECT_EQ(scenario.baseline.at("environment.OMP_WAIT_POLICY"),
            trial::KnobValue(std::string("passive")));
}

TEST(ReadVariables, NamesWhatCannotBeSet) {
  EXPECT_EQ(complaints_about(with_grid("  environment: {PYTHONPATH: [a, b]}\n")),
            "sample.yaml:8:17: 'grid.environment.PYTHONPATH' cannot be set (the agent enters the "
            "script through it)");
  EXPECT_EQ(complaints_about(with_grid("  environment: {A-B: [a, b]}\n")),
            "sample.yaml:8:17: 'grid.environment.A-B' does not name a variable (letters, digits "
            "and _)");
  EXPECT_EQ(complaints_about(with_grid("  environment: {A: [a, a]}\n")),
            "sample.yaml:8:24: 'grid.environment.A' holds 'a' twice");
  EXPECT_EQ(complaints_about(with_grid("  environment: {A: [a, b]}\n  environment.A: [a, c]\n")),
            "sample.yaml:9:3: 'grid.environment.A' is written twice");
}

TEST(ReadVariables, OfALibraryThatIsNotPreloadedMakeNoDifference) {
  const std::string grid =
      "  environment: {KMP_BLOCKTIME: [none, 1], MALLOC_CONF: [none, abort:true]";
  machine::MachineFacts machine;
  machine.cpus = 2;
  const auto cells_of = [&](const std::string& more) {
    return make_plan(read_scenario(with_grid(grid + more + "}\n"), "sample.yaml"), machine);
  };
  const Plan plan = cells_of(", LD_PRELOAD: [none, jemalloc, iomp5, \"jemalloc:iomp5\"]");
  // The libraries leave 1, 2, 2 and 4 pairs of variables.
  const std::size_t data = cells_of(", LD_PRELOAD: [none]").cells.size();
  EXPECT_EQ(plan.cells.size(), 9 * data);
  ASSERT_EQ(plan.collapsed.size(), 2U);
  EXPECT_EQ(plan.collapsed[0].knob, "environment.MALLOC_CONF");
  EXPECT_EQ(plan.collapsed[0].reason, "only jemalloc reads it (LD_PRELOAD: jemalloc)");
  EXPECT_EQ(plan.collapsed[1].knob, "environment.KMP_BLOCKTIME");
  EXPECT_EQ(cells_of("").cells.size(), 4 * data) << "it may come from somewhere else";
}

TEST(ReadVariables, OfTheAllocatorThatIsReplacedMakeNoDifference) {
  const std::string grid = "  environment: {LD_PRELOAD: [none, tcmalloc], GLIBC_TUNABLES: [none, ";
  machine::MachineFacts machine;
  machine.cpus = 2;
  const auto plan_of = [&](const std::string& tunables) {
    return make_plan(read_scenario(with_grid(grid + tunables + "]}\n"), "sample.yaml"), machine);
  };
  const Plan plan = plan_of("\"glibc.malloc.mmap_max=0:glibc.malloc.hugetlb=1\"");
  ASSERT_EQ(plan.collapsed.size(), 1U);
  EXPECT_EQ(plan.collapsed[0].knob, "environment.GLIBC_TUNABLES");
  EXPECT_EQ(plan.collapsed[0].reason, "LD_PRELOAD replaces glibc's allocator");
  EXPECT_TRUE(plan_of("\"glibc.malloc.mmap_max=0:glibc.cpu.x86_ibt=off\"").collapsed.empty());
}

}  // namespace
}  // namespace tune::scenario
