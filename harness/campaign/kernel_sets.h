#pragma once

#include "table/table.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// How different the kernels are that two recordings of one cell ran.
struct KernelSets {
  std::optional<double> distance;  ///< 0-1; nothing: `reason`
  std::vector<std::string>
      differing;  ///< names that only one has, the longest first; at most three
  std::string reason;
};

/// The part of the device time that lies in kernels whose names the other recording does not have,
/// of the recording in which that part is larger. Both are the tables of a trace (table/tables.h);
/// those without kernels are of a CPU.
KernelSets compare_kernels(const std::vector<table::Table>& first,
                           const std::vector<table::Table>& second);

}  // namespace tune::campaign
