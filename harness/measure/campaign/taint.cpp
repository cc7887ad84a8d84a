#include "measure/campaign/taint.h"

#include "base/stats/counts.h"
#include "measure/campaign/ledger.h"
#include "trial/trial_reply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tune::campaign {

SliceCount& operator+=(SliceCount& sum, const SliceCount& more) {
  sum.clean += more.clean;
  sum.tainted += more.tainted;
  sum.tainted_by_core += more.tainted_by_core;
  sum.has_core_probes = sum.has_core_probes || more.has_core_probes;
  return sum;
}

double taint_imbalance(const SliceCount& one, const SliceCount& other) {
  if (one.all() == 0 || other.all() == 0) {
    return 1;
  }
  const bool cores_count = one.has_core_probes && other.has_core_probes;
  const auto hits = [&](const SliceCount& side) -> stats::HitCount {
    return {side.tainted - (cores_count ? 0 : side.tainted_by_core), side.all()};
  };
  return stats::fisher_exact(hits(one), hits(other));
}

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

bool leave_enough_idle(const trial::Slice& slice, std::size_t cpus) {
  const trial::Disturbance& seen = slice.disturbance;
  const double least = std::max(kIdleEnough, kIdlePart * static_cast<double>(cpus));
  return seen.idle_cpu_ns && ratio(*seen.idle_cpu_ns, slice.wall_ns) >= least &&
         ratio(seen.run_delay_ns.value_or(0), slice.wall_ns) <= most_other_cpus(cpus);
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
  if (seen.other_cpu_ns && ratio(*seen.other_cpu_ns, slice.wall_ns) > limit &&
      !leave_enough_idle(slice, width)) {
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

std::int64_t fastest_core_probe_ns(const std::vector<TrialRecord>& trials,
                                   const std::string& cell,
                                   const std::string& stage) {
  constexpr int kProcesses = 4;
  std::int64_t fastest_ns = 0;
  int looked_at = 0;
  for (auto record = trials.rbegin(); record != trials.rend() && looked_at < kProcesses; ++record) {
    if (record->spec.cell != cell || record->stage != stage || !record->outcome.reply) {
      continue;
    }
    ++looked_at;
    for (const trial::Slice& slice : record->outcome.reply->slices) {
      const std::int64_t seen_ns = slice.disturbance.core_probe_ns.value_or(0);
      if (seen_ns > 0 && (fastest_ns == 0 || seen_ns < fastest_ns)) {
        fastest_ns = seen_ns;
      }
    }
  }
  return fastest_ns;
}

}  // namespace tune::campaign
