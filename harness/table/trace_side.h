#pragma once

#include "table/table.h"
#include "table/table_input.h"

#include <cstdint>
#include <string>

namespace tune::table {

/// What is kept of one of two traces that are compared, so that the other can be read in its place.
struct TraceSide {
  std::string file;
  std::int64_t steps = 0, total_ns = 0;  ///< of all steps together
  bool are_marked = false;
  bool has_device_rows = false;
  std::string device_word;          ///< table/device_word.h
  profile::RoleTimes exposed_ns{};  ///< of all steps together; sums to total_ns
  Table operators, kernels;         ///< operator_table, kernel_table
};

TraceSide take_side(const TableInput& input);

}  // namespace tune::table
