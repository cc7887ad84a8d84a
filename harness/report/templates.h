#pragma once

#include <string_view>

namespace tune {

// Compiled in from reports/ (tune_embed), so that the program needs no files next to it.
extern const std::string_view kReportShellHtml;
extern const std::string_view kReportStyleCss;
extern const std::string_view kReportScriptJs;

}  // namespace tune
