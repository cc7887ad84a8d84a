#pragma once

#include "table/table.h"

#include <cstdint>
#include <string>

namespace tune::table {

/// 12.345us, 1.234ms, 1.234s: three places, as in PyTorch's tables.
std::string time_text(std::int64_t ns);

/// A cell as people read it, "-" where nothing is known. Texts are as they are in the trace.
std::string cell_text(const Cell& cell, Quantity quantity);

}  // namespace tune::table
