#pragma once

#include "report/block.h"
#include "report/run_sections.h"

#include <cstddef>
#include <limits>
#include <string>

namespace tune::report {

/// The setting of the baseline in that table.
inline constexpr const char* kBaselineSetting = "(as it is today)";
/// The note of a cell that no trial was made of.
inline constexpr const char* kNotMeasured = "not measured";

/// The answer as rows of text, one per cell in the result's order: the baseline first, what failed
/// last. The class of a row is "baseline", "failed", or "best": the one that the headline is about.
/// Gain, interval and rate of a row come from the same trials: of fresh pairs where the cell ran in
/// some, a check mark beside what was CONFIRMED.
Table ranked_table(const Run& run, std::size_t most_rows = std::numeric_limits<std::size_t>::max());

/// How to read it.
std::string ranking_note(const result::Result& result);

}  // namespace tune::report
