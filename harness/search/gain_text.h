#pragma once

#include <string>

namespace tune::search {

/// "+3.1 %" of a gain on the log scale.
std::string gain_text(double log_gain);

}  // namespace tune::search
