#pragma once

#include <string_view>

namespace tune::rule {

/// Of a name that nothing measures (Origin::nothing): why not, and what would tell it. "nothing
/// measures it yet" where there is no better answer.
const char* why_unmeasured(std::string_view name);

}  // namespace tune::rule
