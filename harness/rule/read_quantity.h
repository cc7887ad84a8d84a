#pragma once

#include "expression/value.h"

#include <optional>
#include <string>

namespace tune::rule {

/// A number as a limit is written: "3%", "10us", "-2", "32 MiB". Nothing for anything else.
std::optional<expression::Value> read_quantity(const std::string& text);

}  // namespace tune::rule
