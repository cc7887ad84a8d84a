#include "campaign/taint.h"

#include "trial/trial_reply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tune::campaign {

namespace {

constexpr double kFewestCpus = 0.1;
constexpr double kLargestShare = 0.02;
constexpr double kTickNs = 10e6;
constexpr double kIoRatio = 0.1;

std::string fixed(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

double ratio(std::int64_t part_ns, std::int64_t wall_ns) {
  return static_cast<double>(part_ns) / static_cast<double>(wall_ns);
}

double io_ratio(const trial::Slice& slice) {
  const auto waited_ns = slice.disturbance.pressure_io_ns;
  return waited_ns ? ratio(*waited_ns, slice.wall_ns) : 0;
}

std::optional<std::string> taint_by_counters(const trial::Slice& slice,
                                             std::size_t cpus,
                                             const Usual& usual) {
  const std::size_t width = std::max<std::size_t>(cpus, 1);
  const auto wall_ns = static_cast<double>(slice.wall_ns);
  // Each CPU's count is off by up to a tick, either way.
  const double limit =
      most_other_cpus(width) + kTickNs * std::sqrt(static_cast<double>(width)) / wall_ns;
  const trial::Disturbance& seen = slice.disturbance;
  if (seen.other_cpu_ns && ratio(*seen.other_cpu_ns, slice.wall_ns) > limit) {
    return "other processes used " + fixed(ratio(*seen.other_cpu_ns, slice.wall_ns)) + " CPUs";
  }
  if (seen.steal_ns && ratio(*seen.steal_ns, slice.wall_ns) > limit) {
    return "the hypervisor took " + fixed(ratio(*seen.steal_ns, slice.wall_ns)) + " CPUs";
  }
  if (seen.throttle_events.value_or(0) > 0) {
    return "the CPU was throttled for heat";
  }
  if (io_ratio(slice) > usual.io_ratio + kIoRatio) {
    return "tasks waited for the disk " + fixed(100 * io_ratio(slice)) + " % of the time";
  }
  return std::nullopt;
}

}  // namespace

double most_other_cpus(std::size_t cpus) {
  return std::max(kFewestCpus, kLargestShare * static_cast<double>(cpus));
}

std::optional<Taint> taint(const trial::Slice& slice, std::size_t cpus, const Usual& usual) {
  if (const auto why = taint_by_counters(slice, cpus, usual)) {
    return Taint{*why};
  }
  const double ratio = trial::core_ratio(slice, usual.fastest_core_ns);
  if (ratio <= trial::kMostCoreRatio) {
    return std::nullopt;
  }
  return Taint{"its cores gave less: a fixed piece of work took " + fixed(ratio) + " times as long",
               true};
}

CleanRate clean_rate(const trial::TrialReply& reply) {
  CleanRate result;
  Usual usual{.io_ratio = reply.slices.empty() ? 0 : io_ratio(reply.slices.front()),
              .fastest_core_ns = trial::fastest_core_ns(reply.slices)};
  for (const trial::Slice& slice : reply.slices) {
    usual.io_ratio = std::min(usual.io_ratio, io_ratio(slice));
  }
  std::int64_t samples = 0;
  std::int64_t wall_ns = 0;
  for (const trial::Slice& slice : reply.slices) {
    const auto tainted = taint(slice, reply.facts.cpus.size(), usual);
    SliceCount& slices = result.slices;
    slices.has_core_probes = slices.has_core_probes || slice.disturbance.core_probe_ns;
    result.is_clean.push_back(!tainted);
    if (tainted) {
      ++slices.tainted;
      slices.tainted_by_core += tainted->is_by_core ? 1 : 0;
      result.reasons.push_back(tainted->why);
    } else {
      ++slices.clean;
      samples += slice.samples;
      wall_ns += slice.wall_ns;
    }
  }
  if (wall_ns > 0) {
    result.rate = static_cast<double>(samples) * 1e9 / static_cast<double>(wall_ns);
  }
  return result;
}

}  // namespace tune::campaign
