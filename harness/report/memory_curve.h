#pragma once

#include "report/markup.h"
#include "trace/table/table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

constexpr std::size_t kMostMemoryCurves = 8;

/// Allocated (filled) and reserved (dashed) memory over time, one drawing for each of the first
/// kMostMemoryCurves devices of the table "memory-timeline" (trace/table/memory_tables.h). Devices
/// of which a single moment is known are left out. `id` begins the ids of the drawings, which are
/// unique in a page.
std::vector<Markup> memory_curves(const table::Table& timeline, const std::string& id = "memory");

}  // namespace tune::report
