#include "base/text.h"
#include "base/units.h"
#include "measure/doctor/checks.h"

#include <cmath>

namespace tune::doctor {

namespace {

Check place_check(const Observation& seen) {
  const machine::Container& place = seen.container;
  std::string found = place.is_virtual_machine ? "a virtual machine" : "no virtual machine";
  found += place.platform.empty() ? "" : " (" + place.platform + ")";
  found += place.is_container ? ", in a container" : ", no container that left its mark";
  return {.id = "machine-kind", .found = found};
}

Check cpu_limit_check(const Observation& seen) {
  const auto& facts = seen.machine;
  Check check{.id = "cpu-limit"};
  if (!facts.cgroup_cpus) {
    const bool is_part = facts.cpus > 0 && facts.cpus < facts.logical_cpus;
    check.found = is_part ? "this process may use " + std::to_string(facts.cpus) + " of " +
                                std::to_string(facts.logical_cpus) + " CPUs (affinity)"
                          : "no limit of CPUs";
    return check;
  }
  check.found = "the control group allows " + two_places(*facts.cgroup_cpus) + " of " +
                std::to_string(facts.logical_cpus) + " CPUs (a quota)";
  check.level = Level::note;
  const bool is_whole = std::abs(*facts.cgroup_cpus - std::round(*facts.cgroup_cpus)) < 0.01;
  check.why = "threads on more CPUs than that use the quota up early and then all stand still";
  check.advice =
      "keep intra_op_threads and num_workers below it; better, pin whole CPUs instead "
      "(docker run --cpuset-cpus)";
  if (!is_whole) {
    check.level = Level::warning;
    check.why += "; no number of threads fits a fraction of a CPU";
  }
  return check;
}

Check memory_limit_check(const Observation& seen) {
  const auto& facts = seen.machine;
  Check check{.id = "memory-limit"};
  const bool is_limited =
      facts.memory_limit_bytes > 0 && facts.memory_limit_bytes < facts.memory_bytes;
  check.found = is_limited ? "the control group allows " + format_bytes(facts.memory_limit_bytes) +
                                 " of " + format_bytes(facts.memory_bytes) + " of memory"
                           : "no limit of memory below that of the machine";
  if (seen.oom_kills.value_or(0) > 0) {
    check.level = Level::note;
    check.found += "; the kernel killed " + std::to_string(*seen.oom_kills) +
                   (*seen.oom_kills == 1 ? " process" : " processes") + " that ran out of memory";
    check.why = "a trial that needs more is killed, and the search counts that as a result";
    check.advice = "raise the limit, or forbid the cells that need more";
  }
  return check;
}

Check task_limit_check(const Observation& seen) {
  constexpr std::int64_t kFew = 1'000;
  Check check{.id = "task-limit"};
  if (!seen.container.most_tasks) {
    check.found = "no limit of threads by the control group";
    return check;
  }
  check.found = "the control group allows " + std::to_string(*seen.container.most_tasks) +
                " processes and threads";
  if (*seen.container.most_tasks < kFew) {
    check.level = Level::warning;
    check.why =
        "LibTorch starts a thread for each CPU, in each loader again: starting one may fail";
    check.advice = "docker run --pids-limit 4096";
  }
  return check;
}

Check file_limit_check(const Observation& seen) {
  constexpr std::int64_t kFew = 512;
  Check check{.id = "file-limit"};
  if (!seen.most_open_files) {
    return not_known(check, "the kernel does not say how many files may be open");
  }
  check.found = std::to_string(*seen.most_open_files) + " files may be open at once";
  if (*seen.most_open_files < kFew) {
    check.level = Level::warning;
    check.why = "libraries, data and telemetry of a machine with many CPUs need more";
    check.advice = "ulimit -n 4096";
  }
  return check;
}

Check variables_check(const Observation& seen) {
  Check check{.id = "environment-variables"};
  check.found = seen.machine.variables.empty() ? "no variable changes how trials run"
                                               : "trials inherit " + joined(seen.machine.variables);
  if (!seen.removed_variables.empty()) {
    check.found += "; not handed on: " + joined(seen.removed_variables);
  }
  if (!seen.machine.variables.empty()) {
    check.level = Level::note;
    check.why = "they are part of what is measured: with others, numbers do not compare";
    check.advice =
        "unset what your training does not have either (" +
        seen.machine.variables.front().substr(0, seen.machine.variables.front().find('=')) +
        ", ...)";
  }
  return check;
}

}  // namespace

std::vector<Check> limit_checks(const Observation& seen) {
  return {place_check(seen),
          cpu_limit_check(seen),
          memory_limit_check(seen),
          task_limit_check(seen),
          file_limit_check(seen),
          variables_check(seen)};
}

}  // namespace tune::doctor
