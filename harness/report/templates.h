#pragma once

#include <string_view>

namespace tune {

// Compiled in from reports/ (tune_embed), so that the program needs no files beside it.
extern const std::string_view report_shell_html;
extern const std::string_view report_style_css;

}  // namespace tune
