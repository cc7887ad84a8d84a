#pragma once

#include "trial/knob_catalog.h"
#include "trial/phase_sums.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::trial {

/// At most so many processes train together.
constexpr std::int64_t kMostRanks = 64;

/// What one of the processes that train together did in the measured window. Rank 0 is the one that
/// the orchestrator talks to.
struct RankReport {
  std::int64_t rank = 0;
  std::string gpu;  ///< its UUID; "" on the CPU
  std::int64_t steps = 0, samples = 0;
  /// Without communication_ns. On a GPU its events, and data_wait_ns is where its stream was empty.
  PhaseSums own;
  /// Exposed communication: nothing was computed, for buffers or gradients of other ranks were not
  /// there yet.
  std::int64_t communication_ns = 0;
  std::int64_t peak_memory_bytes = 0;  ///< as peak_memory_bytes(reply)

  std::int64_t wall_ns() const { return own.total_ns() + communication_ns; }
  bool operator==(const RankReport&) const = default;
};

void fields_of(Fields& fields, RankReport& rank);

/// How many processes train together: the knob `devices`, 1 where a setting does not have it, as a
/// script's.
std::int64_t rank_count(const KnobSettings& settings);

/// The share of their time in which the ranks only waited for one another; 0 without any time.
double exposed_communication_ratio(const std::vector<RankReport>& ranks);

/// A rank that the others wait for.
struct Straggler {
  std::int64_t rank = 0;
  double late_ratio = 0;  ///< of a step
  std::string sentence;
};

/// The ranks that the others wait for, the slowest first, at most three: "rank 2 takes 18 % of a
/// step longer than the other ranks (median), which wait for it: data wait 12ms a step, theirs
/// 2ms". Ranks end a step together, whoever is late, so what tells them apart is their own time.
std::vector<Straggler> stragglers(const std::vector<RankReport>& ranks);

}  // namespace tune::trial
