#pragma once

#include "measure/campaign/campaign_result.h"

#include <vector>

namespace tune::campaign {

/// Median and sign interval at 95 % (or the most that so few samples allow). Needs a sample.
Estimate estimate(const std::vector<double>& samples);

/// The same on the log scale: from ln(candidate ÷ baseline) to the gain as ratio - 1.
Estimate estimate_gain(const std::vector<double>& log_gains);

}  // namespace tune::campaign
