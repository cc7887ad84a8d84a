#pragma once

#include <cstdint>

namespace tune::worker {

/// From the clock of the records to CLOCK_MONOTONIC. Where CUPTI takes our own clock it changes
/// nothing; else records carry CLOCK_REALTIME, which is read together with the other one at both
/// ends of the session and may have been adjusted in between.
class ClockMap {
 public:
  struct Pair {
    std::int64_t record_ns = 0, monotonic_ns = 0;
  };

  ClockMap() = default;

  /// Linear between the two pairs and beyond them.
  ClockMap(const Pair& first, const Pair& last);

  std::int64_t to_monotonic_ns(std::int64_t record_ns) const;

  /// How far CLOCK_MONOTONIC went beyond the other clock between the pairs: less than 0, the other
  /// one was set forward.
  std::int64_t drift_ns() const { return drift_ns_; }

  /// Whether the other clock was set, not only adjusted as it ran: then what came before that and
  /// what came after it cannot be told apart, and a line between the pairs describes neither.
  bool was_set() const;

 private:
  Pair first_;
  std::int64_t span_ns_ = 0, drift_ns_ = 0;
};

/// Reads CLOCK_REALTIME between two reads of CLOCK_MONOTONIC, the closest of a few tries.
ClockMap::Pair read_clock_pair();

}  // namespace tune::worker
