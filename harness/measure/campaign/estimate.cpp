#include "measure/campaign/estimate.h"

#include "base/stats/log_ratio.h"
#include "base/stats/quantile.h"
#include "base/stats/sign_interval.h"

namespace tune::campaign {

Estimate estimate(const std::vector<double>& samples) {
  Estimate found;
  found.value = stats::median(samples);
  found.n = static_cast<std::int64_t>(samples.size());
  if (found.n < 2) {
    found.warning = "one sample has no interval";
    return found;
  }
  const stats::SignInterval interval = stats::sign_interval(samples);
  found.lower = interval.lower;
  found.upper = interval.upper;
  found.confidence = interval.confidence;
  found.warning = interval.warning;
  return found;
}

Estimate estimate_gain(const std::vector<double>& log_gains) {
  Estimate gain = estimate(log_gains);
  gain.value = stats::gain_of(gain.value);
  if (gain.lower && gain.upper) {
    gain.lower = stats::gain_of(*gain.lower);
    gain.upper = stats::gain_of(*gain.upper);
  }
  return gain;
}

}  // namespace tune::campaign
