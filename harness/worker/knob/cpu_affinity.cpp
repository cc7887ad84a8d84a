#include "machine/cpu_list.h"
#include "worker/knob/knob_effect.h"
#include "worker/usable_cpus.h"

#include <sched.h>

namespace tune::worker {

KnobEffect cpu_affinity_knob();

namespace {

[[noreturn]] void refuse(const std::string& list, const std::string& why) {
  throw std::invalid_argument("knobs.cpu_affinity: '" + list + "' " + why);
}

// The kernel's own limit for a fixed-size set; nobody lists more CPUs by hand.
cpu_set_t parse(const std::string& list) {
  const auto cpus = machine::parse_cpu_list(list);
  if (!cpus || cpus->empty() || cpus->back() >= CPU_SETSIZE) {
    refuse(list, "is not a CPU list (write it like 0-1,4)");
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : *cpus) {
    CPU_SET(cpu, &set);
  }
  return set;
}

// Threads inherit it, so it is set before the first one starts.
void apply_cpu_affinity(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  const auto& list = knob_setting<std::string>(spec, "cpu_affinity");
  if (list.empty()) {
    return;
  }
  const cpu_set_t wanted = parse(list);
  if (sched_setaffinity(0, sizeof wanted, &wanted) != 0) {
    refuse(list, "names no CPU that this process may use");
  }
  cpu_set_t granted;  // the kernel silently drops CPUs that we may not use
  CPU_ZERO(&granted);
  if (sched_getaffinity(0, sizeof granted, &granted) != 0 || !CPU_EQUAL(&granted, &wanted)) {
    refuse(list, "names CPUs that this process may not use");
  }
  limit_cpus(*machine::parse_cpu_list(list));
}

}  // namespace

KnobEffect cpu_affinity_knob() {
  return {.name = "cpu_affinity", .apply = apply_cpu_affinity};
}

}  // namespace tune::worker
