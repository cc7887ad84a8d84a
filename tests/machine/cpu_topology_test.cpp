#include "machine/cpu_topology.h"

#include "changing_root.h"

#include <gtest/gtest.h>

namespace tune::machine {
namespace {

using CpuTopology = ChangingRoot;

TEST_F(CpuTopology, TakesTheFirstCpuOfEachCore) {
  for (const auto& [cpu, siblings] : {std::pair{"cpu0", "0,4\n"},
                                      std::pair{"cpu1", "1,5\n"},
                                      std::pair{"cpu4", "0,4\n"},
                                      std::pair{"cpu5", "1,5\n"}}) {
    write(std::string("sys/devices/system/cpu/") + cpu + "/topology/thread_siblings_list",
          siblings);
  }
  EXPECT_EQ(one_cpu_of_each_core({0, 1, 4, 5}, root_), (std::vector<int>{0, 1}));
  EXPECT_EQ(one_cpu_of_each_core({1, 4}, root_), (std::vector<int>{1, 4}));
  EXPECT_EQ(one_cpu_of_each_core({6, 7}, root_), (std::vector<int>{6, 7})) << "nothing is known";
}

TEST_F(CpuTopology, SplitsCpusByMemoryNode) {
  EXPECT_EQ(cpus_by_node({0, 1}, root_), (std::vector<std::vector<int>>{{0, 1}}));
  write("sys/devices/system/node/online", "0-2\n");
  write("sys/devices/system/node/node0/cpulist", "0-3\n");
  write("sys/devices/system/node/node1/cpulist", "4-7\n");
  write("sys/devices/system/node/node2/cpulist", "\n");
  EXPECT_EQ(cpus_by_node({2, 3, 4}, root_), (std::vector<std::vector<int>>{{2, 3}, {4}}));
}

}  // namespace
}  // namespace tune::machine
