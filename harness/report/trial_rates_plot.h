#pragma once

#include "report/markup.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// The throughput of one trial, and when it began.
struct TrialRate {
  std::string trial;
  double begin_s = 0;  ///< from the start of the run
  double ratio = 0;    ///< of its throughput to the median of its setting, - 1
};

struct RateLane {
  std::string label;
  std::vector<TrialRate> rates;
};

constexpr std::size_t kMostRatesDrawn = 400;

/// A lane a setting: each trial at its time, above or below the median of its setting, so that a
/// machine that drifts shows as a slope. Equal scales; of each lane the first kMostRatesDrawn
/// trials whose numbers can be drawn. Nothing where no lane has two of them.
std::optional<Markup> trial_rates_plot(const std::vector<RateLane>& lanes);

}  // namespace tune::report
