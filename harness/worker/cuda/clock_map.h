#pragma once

#include <cstdint>

namespace tune::worker {

/// Maps the clock of the records to CLOCK_MONOTONIC. Changes nothing when CUPTI uses our clock;
/// else records carry CLOCK_REALTIME, which is read together with CLOCK_MONOTONIC at both ends of
/// the session and may have been adjusted in between.
class ClockMap {
 public:
  struct Pair {
    std::int64_t record_ns = 0, monotonic_ns = 0;
  };

  ClockMap() = default;

  /// Linear between the two pairs and beyond them.
  ClockMap(const Pair& first, const Pair& last);

  std::int64_t to_monotonic_ns(std::int64_t record_ns) const;

  /// How much CLOCK_MONOTONIC advanced more than the other clock between the pairs: less than 0
  /// when the other one was set forward.
  std::int64_t drift_ns() const { return drift_ns_; }

  /// Whether the other clock was set, not only adjusted gradually: then times before and after that
  /// moment cannot be separated, and a line between the pairs fits neither.
  bool was_set() const;

 private:
  Pair first_;
  std::int64_t span_ns_ = 0, drift_ns_ = 0;
};

/// Reads CLOCK_REALTIME between two reads of CLOCK_MONOTONIC, the closest of a few tries.
ClockMap::Pair read_clock_pair();

}  // namespace tune::worker
