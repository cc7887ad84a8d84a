#pragma once

#include <string>

namespace tune::stats {

/// 0.0396 -> "4.0 %", for sentences in warnings; the same in every locale.
std::string percent_text(double ratio);

}  // namespace tune::stats
