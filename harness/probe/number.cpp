#include "probe/number.h"

#include "base/monotonic_clock.h"
#include "stats/median.h"
#include "stats/quantile.h"

namespace tune::probe {

Number of_samples(Number number, const std::vector<double>& samples) {
  if (samples.empty()) {
    number.reason = "no repetition ended";
    return number;
  }
  const double middle = stats::median(samples);
  const double spread = stats::quantile(samples, 0.75) - stats::quantile(samples, 0.25);
  number.value = middle;
  number.noise = middle > 0 ? spread / 2 / middle : 0;
  number.n = static_cast<std::int64_t>(samples.size());
  return number;
}

Number not_measured(Number number, const std::string& reason) {
  number.reason = reason;
  return number;
}

std::string why_too_late(const Effort& effort) {
  return monotonic_ns() < effort.deadline_ns ? "" : "the time for the probe was over";
}

}  // namespace tune::probe
