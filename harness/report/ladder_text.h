#pragma once

#include "report/block.h"
#include "result/result.h"

#include <string>
#include <vector>

namespace tune::report {

// The cumulative path: what the recommendations gave on top of one another.

/// From the baseline up, one row a rung: its gain over the baseline with interval and verdict, what
/// its last change added, what the single gains would make, and how the changes interact. No rows
/// where the rules proposed nothing that the grid allows.
Table ladder_table(const result::Result& result);

/// The same in a sentence a rung, for terminals; rungs that were dropped say why.
std::vector<std::string> ladder_lines(const result::Result& result);

}  // namespace tune::report
