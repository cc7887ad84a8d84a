#include "base/stats/number.h"

#include "base/stats/log_ratio.h"
#include "base/stats/quantile.h"
#include "base/stats/sign_interval.h"

namespace tune::stats {

Number number_of_samples(const std::vector<double>& samples) {
  Number found{.value = median(samples), .n = static_cast<std::int64_t>(samples.size())};
  if (found.n < 2) {
    found.reason = "one sample has no interval";
    return found;
  }
  const SignInterval interval = sign_interval(samples);
  found.lower = interval.lower;
  found.upper = interval.upper;
  found.confidence = interval.confidence;
  found.reason = interval.warning;
  return found;
}

Number gain_of_samples(const std::vector<double>& log_gains) {
  Number gain = number_of_samples(log_gains);
  for (std::optional<double>* const end : {&gain.value, &gain.lower, &gain.upper}) {
    if (*end) {
      *end = gain_of(**end);
    }
  }
  return gain;
}

}  // namespace tune::stats
