#include "base/units.h"
#include "measure/doctor/checks.h"

#include <algorithm>
#include <cmath>

namespace tune::doctor {

namespace {

std::string for_so_long(const Observation& seen) {
  return "watched for " + format_seconds(seen.window_s);
}

Check missing(const char* id, const std::string& what, const std::string& reason) {
  return {.id = id, .level = Level::unknown, .found = what + ": " + reason};
}

std::string names_of(const Observation& seen) {
  std::string names;
  for (const machine::BusyProcess& process : seen.busiest) {
    names += (names.empty() ? ": " : ", ") + process.name + " (" + two_places(process.cpus) +
             ", process " + std::to_string(process.process) + ")";
  }
  return names;
}

Check cpu_load_check(const Observation& seen) {
  constexpr double kMost = 0.10;  // cores: rules/noisy-neighbour.yaml
  const Reading busy = reading(seen, "cpu_busy_ratio");
  if (!busy.value) {
    return missing("other-cpu-load", "load of the CPUs", busy.reason);
  }
  const auto cpus = static_cast<double>(seen.window.cpus);
  const double others = std::max(0.0, *busy.value * cpus - seen.own_cpus);
  Check check{.id = "other-cpu-load"};
  check.found = "others use " + two_places(others) + " of " + std::to_string(seen.window.cpus) +
                (seen.window.cpus == 1 ? " CPU" : " CPUs") +
                (others > kMost ? names_of(seen) : "") + " (" + for_so_long(seen) + ")";
  if (others > kMost) {
    check.level = Level::warning;
    check.why = "with one stolen core predictions were 80 to 100 % off, and slices are tainted";
    check.advice =
        "wait for that work to end, or keep the two apart (taskset, cpu_affinity); nice "
        "alone does not protect threads that wait for each other";
    if (seen.busiest.empty()) {
      check.advice +=
          "; no process that can be seen from here does it: look outside of the "
          "container";
    }
  } else if (seen.machine.load1 > std::max(1.0, cpus)) {
    check.level = Level::note;
    check.why = "the load of the last minute was " + two_places(seen.machine.load1) +
                ": something heavy ended just now, and may begin again";
    check.advice = "look again in a minute";
  }
  return check;
}

Check steal_check(const Observation& seen) {
  constexpr double kMost = 0.01;  // rules/noisy-neighbour.yaml
  const Reading steal = reading(seen, "steal_ratio");
  if (!steal.value) {
    return missing("cpu-steal", "time that the hypervisor gave to others", steal.reason);
  }
  Check check{.id = "cpu-steal"};
  check.found = "the hypervisor gave " + percent(*steal.value) + " of the time to others (" +
                for_so_long(seen) + ")";
  if (*steal.value > kMost) {
    check.level = Level::warning;
    check.why = "another virtual machine takes our CPUs, and when it does is chance";
    check.advice =
        "measure on a machine with dedicated cores, or at another hour; a gate compares "
        "pairs, so that it needs more of them instead of being wrong";
  }
  return check;
}

struct Limit {
  const char *id, *series, *what, *why, *advice;
  double most;
};

// Ratios of the window that should be next to nothing.
Check ratio_check(const Observation& seen, const Limit& limit) {
  const Reading read = reading(seen, limit.series);
  if (!read.value) {
    return missing(limit.id, limit.what, read.reason);
  }
  Check check{.id = limit.id};
  check.found = std::string(limit.what) + ": " + percent(*read.value) + " of the time (" +
                for_so_long(seen) + ")";
  if (*read.value > limit.most) {
    check.level = Level::warning;
    check.why = limit.why;
    check.advice = limit.advice;
  }
  return check;
}

Check quota_check(const Observation& seen) {
  constexpr double kAny = 0.001;
  if (!seen.machine.cgroup_cpus) {
    return {.id = "quota-throttling", .found = "no CPU quota stops threads"};
  }
  return ratio_check(seen,
                     {.id = "quota-throttling",
                      .series = "cgroup_throttled_ratio",
                      .what = "the CPU quota of the control group stops threads",
                      .why = "all threads stand still for the rest of a period of 100 ms",
                      .advice = "ask for whole CPUs (docker run --cpuset-cpus, Kubernetes: equal "
                                "requests and limits, static CPU manager)",
                      .most = kAny});
}

Check swap_traffic_check(const Observation& seen) {
  const Reading in = reading(seen, "swap_in_rate");
  const Reading out = reading(seen, "swap_out_rate");
  if (!in.value || !out.value) {
    return missing("swap-traffic", "traffic of swap", in.value ? out.reason : in.reason);
  }
  Check check{.id = "swap-traffic"};
  check.found = "nothing goes to swap or comes from it (" + for_so_long(seen) + ")";
  if (*in.value + *out.value > 0) {
    check.level = Level::warning;
    check.found = format_bytes(std::llround(*in.value)) + "/s come from swap, " +
                  format_bytes(std::llround(*out.value)) + "/s go there (" + for_so_long(seen) +
                  ")";
    check.why = "memory is short: steps wait for the disk";
    check.advice = "end what takes memory, or use a smaller batch";
  }
  return check;
}

}  // namespace

std::vector<Check> load_checks(const Observation& seen) {
  constexpr double kBusyDisk = 0.2, kSomeWait = 0.1;
  return {cpu_load_check(seen),
          steal_check(seen),
          ratio_check(seen,
                      {.id = "disk-load",
                       .series = "disk_busy_ratio",
                       .what = "a disk is busy",
                       .why = "reading data and writing results wait behind somebody else's work",
                       .advice = "see who it is (sudo iotop -o), and wait for its end",
                       .most = kBusyDisk}),
          ratio_check(seen,
                      {.id = "memory-pressure",
                       .series = "psi_memory_ratio",
                       .what = "some program waits for memory to be freed",
                       .why = "the kernel takes pages from programs, and page faults come back",
                       .advice = "end what takes memory, or use a smaller batch",
                       .most = kSomeWait}),
          quota_check(seen),
          swap_traffic_check(seen)};
}

}  // namespace tune::doctor
