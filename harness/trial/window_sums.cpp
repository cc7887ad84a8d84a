#include "trial/window_sums.h"

namespace tune::trial {

namespace {

void add_part(std::optional<double>& sum, const std::optional<std::int64_t>& part) {
  sum = sum && part ? std::optional(*sum + static_cast<double>(*part)) : std::nullopt;
}

}  // namespace

WindowSums window_sums(const std::vector<Slice>& slices) {
  WindowSums window;
  for (const Slice& slice : slices) {
    const Disturbance& disturbance = slice.disturbance;
    window.phases += slice.phases;
    window.wall_ns += static_cast<double>(slice.wall_ns);
    window.steps += static_cast<double>(slice.steps);
    window.samples += static_cast<double>(slice.samples);
    window.own_cpu_ns += static_cast<double>(disturbance.own_cpu_ns);
    window.minor_faults += static_cast<double>(disturbance.minor_faults);
    window.switches += static_cast<double>(disturbance.voluntary_switches) +
                       static_cast<double>(disturbance.involuntary_switches);
    add_part(window.run_delay_ns, disturbance.run_delay_ns);
    add_part(window.main_run_delay_ns, disturbance.main_run_delay_ns);
    add_part(window.other_cpu_ns, disturbance.other_cpu_ns);
    add_part(window.steal_ns, disturbance.steal_ns);
    add_part(window.pressure_cpu_ns, disturbance.pressure_cpu_ns);
    add_part(window.instructions, disturbance.instructions);
    add_part(window.pin_thread_cpu_ns, disturbance.pin_thread_cpu_ns);
  }
  return window;
}

}  // namespace tune::trial
