#pragma once

#include <string>
#include <string_view>

namespace tune {

/// What changes between two texts, as `diff -u` writes it and `patch` reads it: three lines around
/// each change, `\ No newline at end of file` where a last line has no end; "" when they are equal.
/// Line ends are part of the lines. `name` stands in both heads.
std::string unified_diff(std::string_view before, std::string_view after, const std::string& name);

}  // namespace tune
