#pragma once

#include "trace/table/table.h"
#include "trace/table/table_input.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::table {

/// What is kept of one of two traces that are compared, so that the other can be read in its place.
struct TraceSide {
  std::string file;
  std::int64_t steps = 0, total_ns = 0;  ///< of all steps together
  bool are_known = false;
  bool has_device_rows = false;
  std::string device_word;          ///< trace/table/cell_text.h
  profile::RoleTimes exposed_ns{};  ///< of all steps together; sums to total_ns
  Table operators, kernels;         ///< operator_table, kernel_table
};

TraceSide take_side(const TableInput& input);

// Two traces, row by row, what changed most first. Everything is per step, so that traces of
// different lengths compare. Of what only one trace has, the other has 0 calls.

/// Why nothing can be compared per step: one has marked steps and the other has not, or has none;
/// "" when it can.
std::string why_not_comparable(const TraceSide& before, const TraceSide& after);

/// Parts of the step, then the step. Where only one trace has rows of devices or calls into one,
/// the parts mean different things, and only the step is compared; a note says so.
Table partition_diff(const TraceSide& before, const TraceSide& after);

/// By operator: calls, self time on the host, and of devices where both traces have rows of one.
Table operator_diff(const TraceSide& before, const TraceSide& after);

/// By kernel: calls, time. Not applicable unless both traces have kernels.
Table kernel_diff(const TraceSide& before, const TraceSide& after);

/// All three.
std::vector<Table> diff_tables(const TraceSide& before, const TraceSide& after);

}  // namespace tune::table
