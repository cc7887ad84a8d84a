#include "metric/occupancy.h"

#include "metric/why_missing.h"

#include <cmath>

namespace tune::metric {

Metric occupancy(const TraceInput& input) {
  constexpr MetricName kName = {"occupancy", "ratio"};
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  double weighted_ns = 0, all_ns = 0;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    const profile::KernelDetail* const kernel = input.timeline.kernel(event);
    if (kernel != nullptr && std::isfinite(kernel->occupancy_ratio)) {
      const auto ns = static_cast<double>(input.clock.within(event));
      weighted_ns += static_cast<double>(kernel->occupancy_ratio) * ns;
      all_ns += ns;
    }
  }
  return all_ns > 0 ? over_steps(kName, weighted_ns / all_ns, input)
                    : not_applicable(kName, "no kernel within a step has an estimated occupancy");
}

}  // namespace tune::metric
