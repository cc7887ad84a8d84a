#include "campaign/kernel_sets.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

using Names = std::vector<std::pair<std::string, std::int64_t>>;

std::vector<table::Table> recorded(const Names& kernels) {
  table::Table table;
  table.id = "kernels";
  table.columns = {{.id = "name"}, {.id = "total_time", .quantity = table::Quantity::time_ns}};
  for (const auto& [name, ns] : kernels) {
    table.rows.push_back({name, ns});
  }
  return {table};
}

TEST(KernelSets, DifferByTheTimeThatOnlyOneRecordingSpendsInAKernel) {
  const KernelSets sets = compare_kernels(recorded({{"gemm", 70}, {"winograd", 30}}),
                                          recorded({{"gemm", 90}, {"implicit", 10}}));
  EXPECT_DOUBLE_EQ(sets.distance.value_or(-1), 0.3);
  EXPECT_EQ(sets.differing, (std::vector<std::string>{"winograd", "implicit"}));
}

TEST(KernelSets, OfEqualNamesAreEqualWhateverTheirTimes) {
  EXPECT_EQ(compare_kernels(recorded({{"gemm", 70}}), recorded({{"gemm", 90}})).distance, 0.0);
}

TEST(KernelSets, AreUnknownWithoutKernels) {
  const KernelSets sets = compare_kernels(recorded({{"gemm", 70}}), recorded({}));
  EXPECT_FALSE(sets.distance.has_value());
  EXPECT_EQ(sets.reason, "no kernels of a GPU were recorded");
}

}  // namespace
}  // namespace tune::campaign
