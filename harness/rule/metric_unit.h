#pragma once

#include "expression/value.h"

#include <string_view>

namespace tune::rule {

/// What a metric's unit means in expressions: "s" is a time, "B/s" bytes per second, "samples/s" a
/// frequency; "ratio", "count" and every other word are plain numbers.
expression::Dimension dimension_of_unit(std::string_view unit);

/// The unit in which a number of this dimension is written: "s", "B", "B/s", "1/s", "degC"; "" of a
/// plain one and of what has no unit of its own.
std::string_view unit_of_dimension(const expression::Dimension& dimension);

}  // namespace tune::rule
