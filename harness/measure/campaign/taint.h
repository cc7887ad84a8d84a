#pragma once

#include "trial/trial_reply.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

struct TrialRecord;

/// What became of the slices of one side of a comparison.
struct SliceCount {
  std::int64_t clean = 0, tainted = 0;
  std::int64_t tainted_by_core = 0;  ///< of the tainted: core probes alone saw it
  bool has_core_probes = false;      ///< in any slice

  std::int64_t all() const { return clean + tainted; }
};

SliceCount& operator+=(SliceCount& sum, const SliceCount& more);

/// As rare as this by chance alone, the machine did not treat both sides alike.
constexpr double kTaintLevel = 0.01;

/// p for "both sides lost slices alike" (base/stats/counts.h); 1 where a side has none. What core
/// probes saw counts only where both sides made some: a side without them cannot lose slices to
/// what it does not see.
double taint_imbalance(const SliceCount& one, const SliceCount& other);

/// What others may use of so many CPUs before it counts as a disturbance, in CPUs: max(0.1, 2 % of
/// them), for kernel threads and the clock's own ticks use a little of every machine.
double most_other_cpus(std::size_t cpus);

/// Others that leave so many CPUs idle, and at least this part of them, take nothing from a worker
/// whose threads do not wait for a CPU either: a browser on a workstation, jobs on other GPUs of a
/// server.
constexpr double kIdleEnough = 2, kIdlePart = 1.0 / 3;

/// What is usual in a process.
struct Usual {
  double io_ratio = 0;
  std::optional<std::int64_t> fastest_core_ns;
};

struct Taint {
  std::string why;
  bool is_by_core = false;  ///< core probes alone saw it
};

/// Why a slice says nothing about the setting: "other processes used 0.45 CPUs". Nothing when its
/// CPUs were left alone, or the kernel does not tell.
///
/// Looked at are the worker's own CPUs only (`cpus` of them), never the load of the whole machine:
/// other use (unless kIdleEnough) and stolen time above most_other_cpus(), and a tick of the
/// kernel's coarse count;
/// throttling for heat; tasks waiting for the disk for more than a tenth of the slice beyond the
/// usual, for a loader that reads files waits for the disk by itself; and cores that gave less than
/// before though nothing of that is seen, because a neighbour on the host uses them
/// (trial/trial_reply.h).
std::optional<Taint> taint(const trial::Slice& slice, std::size_t cpus, const Usual& usual = {});

/// How often a process of a pair is measured at most that lost too many slices to others.
constexpr std::int64_t kMostAttempts = 3;

/// What the slices that count say together.
struct CleanRate {
  std::optional<double> rate;  ///< samples/s: sum of samples over sum of wall, so that stalls count
  SliceCount slices;
  std::vector<bool> is_clean;        ///< one a slice
  std::vector<std::string> reasons;  ///< one for each tainted slice

  /// More than 2 of 5: the process is measured again.
  bool lost_too_many() const { return 5 * slices.tainted > 2 * slices.all(); }
};

CleanRate clean_rate(const trial::TrialReply& reply);

/// The fastest slice by its core probes (trial/trial_reply.h), ns, of the last four processes
/// of this cell in this stage: one that had a busy neighbour all the time cannot see that by
/// itself. Four only, for the clock of a laptop that gets warm is lower for good; of one cell, for
/// what a setting does to its own cores is part of what it costs. 0: not known.
std::int64_t fastest_core_probe_ns(const std::vector<TrialRecord>& trials,
                                   const std::string& cell,
                                   const std::string& stage);

}  // namespace tune::campaign
