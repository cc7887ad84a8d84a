#include "worker/usable_cpus.h"

#include "machine/cpu_list.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace tune::worker {
namespace {

void run_on(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    CPU_SET(cpu, &set);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
}

// As an OpenMP library does before main() begins.
TEST(UsableCpus, AreThoseOfTheStarterWhereOpenMpHasBoundTheFirstThread) {
  const std::vector<int> all = machine::allowed_cpus(getppid());
  const std::vector<int> own = machine::allowed_cpus();
  const std::vector<int> first = {own.front()};
  run_on(first);
  EXPECT_EQ(usable_cpus(), first) << "somebody else has bound it";
  setenv("TUNE_PARENT", std::to_string(getppid()).c_str(), 1);
  setenv("OMP_PROC_BIND", "close", 1);
  EXPECT_EQ(usable_cpus(), all.size() > 1 ? all : first);
  limit_cpus(first);
  EXPECT_EQ(usable_cpus(), first) << "the knob cpu_affinity says so";
  limit_cpus({});
  unsetenv("OMP_PROC_BIND");
  unsetenv("TUNE_PARENT");
  run_on(own);
}

}  // namespace
}  // namespace tune::worker
