#include "base/text.h"
#include "measure/doctor/checks.h"

#include <algorithm>

namespace tune::doctor {

namespace {

using machine::CpuPolicy;

constexpr const char* kSetGovernor = "sudo cpupower frequency-set -g performance";

bool has(const std::vector<std::string>& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Their `powersave` reaches the full clock by itself, as far as the preference lets it.
bool chooses_by_preference(const CpuPolicy& policy) {
  return policy.driver == "intel_pstate" || policy.driver == "amd-pstate-epp";
}

Check governor_check(const CpuPolicy& policy) {
  Check check{.id = "cpu-governor"};
  if (policy.governors.empty()) {
    return not_known(check,
                     "the kernel shows no governor of the CPU clock, as in most virtual machines");
  }
  check.found = "CPU governor: " + joined(policy.governors);
  if (!policy.driver.empty()) {
    check.found += " (" + policy.driver;
    check.found +=
        policy.energy_preference.empty() ? ")" : ", preference " + policy.energy_preference + ")";
  }
  if (policy.governors == std::vector<std::string>{"performance"}) {
    return check;
  }
  check.why =
      "the clock follows the load of the last milliseconds, so that equal work takes "
      "different times";
  check.advice = kSetGovernor;
  const bool saves_energy = policy.energy_preference == "power" ||
                            policy.energy_preference == "balance_power" ||
                            has(policy.governors, "conservative");
  const bool is_mild = chooses_by_preference(policy) && !saves_energy;
  check.level = is_mild ? Level::note : Level::warning;
  return check;
}

Check turbo_check(const CpuPolicy& policy) {
  Check check{.id = "cpu-turbo"};
  if (!policy.turbo) {
    return not_known(check,
                     "the kernel does not say whether the CPU may run above its clock (turbo)");
  }
  check.found = std::string("turbo is ") + (*policy.turbo ? "on" : "off");
  if (*policy.turbo) {
    const bool is_intels = policy.turbo_file.find("no_turbo") != std::string::npos;
    check.level = Level::note;
    check.why =
        "the clock depends on heat and on how many cores work; pairs of a gate even that "
        "out, single runs do not";
    check.advice = std::string("for the last percent: echo ") + (is_intels ? "1" : "0") +
                   " | sudo tee " + policy.turbo_file;
  }
  return check;
}

Check shared_cores_check(const Observation& seen) {
  Check check{.id = "shared-cores"};
  const auto& facts = seen.machine;
  const bool by_count = facts.physical_cores > 0 && facts.physical_cores < facts.logical_cpus;
  if (!seen.policy.shares_cores && facts.logical_cpus == 0) {
    return not_known(check, "the kernel does not say which CPUs share a core (SMT)");
  }
  if (!seen.policy.shares_cores.value_or(by_count)) {
    check.found = "each CPU is a core of its own";
    return check;
  }
  check.level = Level::note;
  check.found = "two CPUs share a core (SMT): " + std::to_string(facts.logical_cpus) + " CPUs on " +
                std::to_string(facts.physical_cores) +
                (facts.physical_cores == 1 ? " core" : " cores");
  check.why = "the second thread of a core adds little to arithmetic and slows the first one down";
  check.advice =
      "measure intra_op_threads and num_workers from the number of cores on; "
      "cpu_affinity keeps training and loader apart";
  return check;
}

Check nodes_check(const CpuPolicy& policy) {
  Check check{.id = "memory-nodes"};
  if (!policy.numa_nodes) {
    return not_known(check, "the kernel does not say how many memory nodes (NUMA) there are");
  }
  check.found = std::to_string(*policy.numa_nodes) +
                (*policy.numa_nodes == 1 ? " memory node (NUMA)" : " memory nodes (NUMA)");
  if (*policy.numa_nodes > 1) {
    check.level = Level::note;
    check.why = "memory of another node is slower, and where it lies differs from start to start";
    check.advice =
        "keep a trial on one node: cpu_affinity in the scenario, or "
        "numactl --cpunodebind=0 --membind=0 ./tune run ...";
  }
  return check;
}

Check clock_check(const CpuPolicy& policy) {
  Check check{.id = "clock-source"};
  if (policy.clock_source.empty()) {
    return not_known(check, "the kernel does not say which clock programs read");
  }
  check.found = "clock source: " + policy.clock_source;
  const bool is_slow = policy.clock_source == "hpet" || policy.clock_source == "acpi_pm" ||
                       policy.clock_source == "jiffies" || policy.clock_source == "pit";
  if (is_slow) {
    check.level = Level::warning;
    check.why = "reading the time takes a microsecond instead of 20 ns, for us and for a profiler";
    check.advice = has(policy.all_clocks, "tsc")
                       ? "echo tsc | sudo tee "
                         "/sys/devices/system/clocksource/clocksource0/current_clocksource"
                       : "look in dmesg why the kernel took tsc for unstable";
  }
  return check;
}

Check heat_check(const Observation& seen) {
  constexpr double kHot = 90;
  Check check{.id = "cpu-heat"};
  const Reading throttled = reading(seen, "cpu_throttle_rate");
  const Reading degrees = reading(seen, "cpu_temperature");
  if (!throttled.value && !degrees.value) {
    return not_known(check, "heat of the processor: " + degrees.reason);
  }
  check.found = degrees.value ? "processor at " + std::to_string(static_cast<int>(*degrees.value)) +
                                    " degrees Celsius"
                              : "processor's heat unknown";
  const bool is_slowed = throttled.value.value_or(0) > 0;
  check.found += is_slowed ? ", and slowed down for it" : ", not slowed down for it";
  if (is_slowed || degrees.value.value_or(0) >= kHot) {
    check.level = Level::warning;
    check.why =
        "a hot processor lowers its clock, so that later trials are slower than earlier "
        "ones";
    check.advice =
        "let it cool down; look at fans and dust, or cap the clock below the limit "
        "(sudo cpupower frequency-set -u ...)";
  }
  return check;
}

}  // namespace

std::vector<Check> processor_checks(const Observation& seen) {
  std::vector<Check> checks = {governor_check(seen.policy),
                               turbo_check(seen.policy),
                               shared_cores_check(seen),
                               nodes_check(seen.policy),
                               clock_check(seen.policy),
                               heat_check(seen)};
  if (seen.policy.on_battery.value_or(false)) {
    checks.push_back({.id = "battery",
                      .level = Level::warning,
                      .found = "this machine runs on its battery",
                      .why = "its firmware lowers the clock to save energy",
                      .advice = "connect it to the mains"});
  }
  return checks;
}

}  // namespace tune::doctor
