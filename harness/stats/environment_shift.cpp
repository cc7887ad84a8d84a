#include "stats/environment_shift.h"

#include "stats/log_ratio.h"
#include "stats/percent_text.h"
#include "stats/signed_rank.h"

#include <cmath>

namespace tune::stats {

namespace {

constexpr double kSmallRatio = 0.01;

}  // namespace

EnvironmentShift environment_shift(const std::vector<double>& differences, double level) {
  const LocationBounds bounds = location_bounds(differences, level);
  EnvironmentShift shift{.lower = bounds.lower, .estimate = bounds.estimate, .upper = bounds.upper};
  const double small = std::log1p(kSmallRatio);
  shift.is_shifted = shift.lower > small || shift.upper < -small;
  if (shift.is_shifted) {
    shift.warning = "the machine ran " + percent_text(std::abs(gain_of(shift.estimate))) +
                    (shift.estimate > 0 ? " slower" : " faster") +
                    " beside the candidate: not its code";
  }
  return shift;
}

}  // namespace tune::stats
