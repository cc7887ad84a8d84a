#include "machine/cpu_list.h"

#include <gtest/gtest.h>

namespace tune::machine {
namespace {

using Cpus = std::vector<int>;

TEST(CpuList, IsReadAsTheKernelWritesIt) {
  EXPECT_EQ(parse_cpu_list("0-2,5"), (Cpus{0, 1, 2, 5}));
  EXPECT_EQ(parse_cpu_list(" 7 \n"), Cpus{7});
  EXPECT_EQ(parse_cpu_list("3,1,1-2"), (Cpus{1, 2, 3}));
  EXPECT_EQ(parse_cpu_list(""), Cpus{});
}

TEST(CpuList, NonsenseIsNoList) {
  for (const char* text :
       {"-", "1-", "-1", "2-1", "1,,2", "1,", ",1", "a", "1 2", "0-8192", "99999999999999999999"}) {
    EXPECT_FALSE(parse_cpu_list(text).has_value()) << text;
  }
}

TEST(CpuList, IsWrittenInItsShortestForm) {
  EXPECT_EQ(format_cpu_list({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(format_cpu_list({}), "");
}

TEST(CpuList, ThisThreadMayRunSomewhere) {
  EXPECT_FALSE(allowed_cpus().empty());
}

}  // namespace
}  // namespace tune::machine
