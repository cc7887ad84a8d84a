#pragma once

#include "report/markup.h"
#include "table/table.h"

#include <cstddef>
#include <vector>

namespace tune::report {

constexpr std::size_t kMostMemoryCurves = 8;

/// Allocated (filled) and reserved (dashed) memory over time, one drawing for each of the first
/// kMostMemoryCurves devices of the table "memory-timeline" (table/memory_tables.h). Devices of
/// which a single moment is known are left out.
std::vector<Markup> memory_curves(const table::Table& timeline);

}  // namespace tune::report
