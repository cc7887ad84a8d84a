#pragma once

#include "report/run_sections.h"

#include <string>

namespace tune::report {

/// What a change does besides the speed, from the baseline to the cell that has it alone: peak
/// memory, waiting for data, time to the first step. Null where no cell has it alone.
std::string side_effects(const Run& run, const result::Cell* after);

/// How much memory the cell leaves, null where no cell has the change alone; "" where the file
/// alone does not say.
std::string memory_room(const Run& run, const result::Cell* cell);

}  // namespace tune::report
