#pragma once

#include "expression/value.h"

#include <string>

namespace tune::expression {

/// For people: four digits, and the unit that fits: 4.2 ms, 9.6 MB, 16 GB/s, 914 /s, 0.31. Long
/// lists and texts are cut.
std::string to_readable_text(const Value& value);

}  // namespace tune::expression
