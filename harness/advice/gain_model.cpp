#include "advice/gain_model.h"

#include <algorithm>

namespace tune::advice {

std::optional<double> amdahl_gain(double share, double removable) {
  const double removed = std::clamp(share, 0.0, 1.0) * std::clamp(removable, 0.0, 1.0);
  constexpr double kWhole = 1 - 1e-9;
  if (!(removed < kWhole)) {
    return std::nullopt;
  }
  return 1 / (1 - removed) - 1;
}

double DifferentialRates::now() const {
  return std::min({synthetic, cached, cold});
}

double DifferentialRates::prep_stall_ratio() const {
  return std::max(0.0, 1 - cached / synthetic);
}

double DifferentialRates::fetch_stall_ratio() const {
  return std::max(0.0, 1 - cold / cached);
}

}  // namespace tune::advice
