#include "metric/device_tail.h"

#include "metric/why_missing.h"

namespace tune::metric {

Metric device_tail_time(const TraceInput& input) {
  constexpr MetricName kName = {"device_tail_time", "s"};
  std::string why = why_no_device_work(input);
  if (why.empty()) {
    why = why_no_marked_steps(input);
  }
  if (!why.empty()) {
    return not_applicable(kName, why);
  }
  return over_steps(kName, static_cast<double>(input.partition.device_tail_ns) * 1e-9, input);
}

}  // namespace tune::metric
