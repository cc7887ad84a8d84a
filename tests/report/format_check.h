#pragma once

#include <string>
#include <string_view>

namespace tune::report {

/// "" when a text is what the published description of its format asks for, else what is wrong with
/// it. `format` is the name of one of all_formats.h.
std::string format_complaint(std::string_view format, const std::string& text);

}  // namespace tune::report
