#include "search/gain_text.h"

#include "stats/log_ratio.h"

#include <array>
#include <cstdio>

namespace tune::search {

std::string gain_text(double log_gain) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%+.1f %%", stats::gain_of(log_gain) * 100);
  return text.data();
}

}  // namespace tune::search
