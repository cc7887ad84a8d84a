#pragma once

#include <string>
#include <string_view>

namespace tune {

/// The changes between two texts, as `diff -u` writes and `patch` reads them: three lines of
/// context around each change, `\ No newline at end of file` where the last line has no end; ""
/// when the texts are equal. Line ends are part of the lines. `name` is in both headers.
std::string unified_diff(std::string_view before, std::string_view after, const std::string& name);

}  // namespace tune
