#pragma once

#include <string_view>

namespace tune {

// Compiled in from reports/templates (tune_embed).
extern const std::string_view kLivePageHtml;
extern const std::string_view kLivePageScript;

}  // namespace tune
