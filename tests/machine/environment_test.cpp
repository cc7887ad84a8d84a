#include "machine/environment.h"

#include <gtest/gtest.h>

#include <array>

namespace tune::machine {
namespace {

TEST(Environment, OnlyWhatChangesTheSpeedIsRecorded) {
  const std::string long_one = "OMP_X=" + std::string(1000, 'x');
  const std::array<const char*, 6> environment = {"SECRET_TOKEN=abc",
                                                  "OMP_NUM_THREADS=2",
                                                  "MALLOC_ARENA_MAX=1",
                                                  "COMP_A=1",
                                                  long_one.c_str(),
                                                  nullptr};
  const std::vector<std::string> expected = {
      "MALLOC_ARENA_MAX=1", "OMP_NUM_THREADS=2", long_one.substr(0, 256)};
  EXPECT_EQ(performance_variables(environment.data()), expected);
  EXPECT_TRUE(performance_variables(nullptr).empty());
}

}  // namespace
}  // namespace tune::machine
