#include "scenario/shard.h"

#include "base/error.h"
#include "scenario/read_scenario.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tune::scenario {

namespace {

// A grid of 5 cells beside the baseline.
Scenario scenario_of(const std::string& shard, const std::string& strategy = "grid") {
  Scenario scenario = read_scenario(
      "tune: 1\nname: fake\n"
      "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
      "data: {source: synthetic, samples: 64}\n"
      "baseline: {intra_op_threads: 1}\n"
      "grid: {intra_op_threads: [1, 2, 3, 4, 5, 6]}\n"
      "search: {strategy: " +
          strategy + "}\n",
      "/fake.yaml");
  scenario.shard = parse_shard(shard);
  return scenario;
}

std::vector<std::string> cells_of(const std::string& shard) {
  machine::MachineFacts machine;
  machine.cpus = machine.logical_cpus = machine.physical_cores = 64;
  std::vector<std::string> ids;
  for (const Cell& cell : make_plan(scenario_of(shard), machine).cells) {
    ids.push_back(cell.id);
  }
  return ids;
}

std::string complaint_about(const Scenario& scenario) {
  machine::MachineFacts machine;
  machine.cpus = machine.logical_cpus = machine.physical_cores = 64;
  try {
    make_plan(scenario, machine);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Shard, IsAPartAndHowManyThereAre) {
  EXPECT_EQ(parse_shard("2/4"), (Shard{2, 4}));
  EXPECT_EQ(to_text({2, 4}), "2/4");
  for (const char* const wrong : {"", "2", "/4", "2/", "0/4", "5/4", "2/4x", "-1/4", "1/10001"}) {
    EXPECT_FALSE(parse_shard(wrong)) << wrong;
  }
}

TEST(Shard, HasTheBaselineAndCellsThatKeepTheirNames) {
  EXPECT_EQ(cells_of("1/2"), (std::vector<std::string>{"baseline", "c01", "c03", "c05"}));
  EXPECT_EQ(cells_of("2/2"), (std::vector<std::string>{"baseline", "c02", "c04"}));
}

TEST(Shards, HaveEveryCellOnceTogether) {
  std::multiset<std::string> all;
  for (const char* const shard : {"1/3", "2/3", "3/3"}) {
    for (const std::string& id : cells_of(shard)) {
      all.insert(id);
    }
  }
  EXPECT_EQ(all.count("baseline"), 3U);
  for (const char* const id : {"c01", "c02", "c03", "c04", "c05"}) {
    EXPECT_EQ(all.count(id), 1U) << id;
  }
}

TEST(Shard, IsRefusedWhereTheSearchChoosesItsCells) {
  EXPECT_NE(complaint_about(scenario_of("1/2", "guided")).find("does not go with strategy guided"),
            std::string::npos);
  EXPECT_NE(complaint_about(scenario_of("1/2", "random")).find("does not go with strategy random"),
            std::string::npos);
}

TEST(Shard, IsRefusedWhereOneWouldHaveNoCell) {
  EXPECT_EQ(complaint_about(scenario_of("5/5")), "");
  EXPECT_NE(complaint_about(scenario_of("1/6")).find("the grid has 5 cells beside the baseline"),
            std::string::npos);
}

}  // namespace

}  // namespace tune::scenario
