#pragma once

#include "trace/intervals.h"
#include "trace/timeline.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tune::profile {

/// When the last work that each stream was given ends. Who waits for a device asks which ends last:
/// that takes the logarithm of the streams, and not all of them each time.
class StreamEnds {
 public:
  explicit StreamEnds(const std::vector<Track>& tracks);

  /// The last work of the stream ends then.
  void set(std::uint32_t track, std::int64_t end_ns);
  /// The streams that end last, at most so many: of one device, or of all for -1. By track.
  std::vector<std::uint32_t> latest(std::int32_t device, std::size_t most);
  /// The stream that ends last of those that end within (begin, end]; kNone without one.
  std::uint32_t last_within(Interval time);

 private:
  using Ends = std::set<std::pair<std::int64_t, std::uint32_t>>;  // end, track

  void take_changes();

  const std::vector<Track>& tracks_;
  std::vector<std::int64_t> end_ns_, taken_ns_;  // by track; kUnknownNumber without work
  std::vector<std::uint32_t> changed_;           // tracks whose end no set has
  Ends all_;
  std::map<std::int32_t, Ends> by_device_;
};

/// What a call of the host waits for, or makes a stream wait for.
struct SyncWait {
  enum class Kind : std::uint8_t {
    device,        ///< the last work of every stream of a device
    stream,        ///< the last work of a stream
    event,         ///< the last work of a stream when an event was recorded
    stream_event,  ///< not the host waits so, but the next work of another stream
    other
  };
  std::int64_t correlation = 0;  ///< of the call
  Kind kind = Kind::other;
  std::int32_t device = -1;
  std::uint32_t stream = kNone;      ///< track: the stream that waits, or is waited for (`stream`)
  std::uint32_t recorded = kNone;    ///< track: where the event was recorded
  std::int64_t record = kUnknownId;  ///< correlation of the call that recorded it
};

/// The cuda_sync rows of a trace (enable_cuda_sync_events), by the calls that they belong to.
class SyncWaits {
 public:
  explicit SyncWaits(const Timeline& timeline);

  /// The wait of the call with that correlation, or nothing.
  const SyncWait* of(std::int64_t correlation) const;

  /// Where the event that this call recorded is recorded, as waits for it tell: a track, or kNone.
  std::uint32_t recorded_on(std::int64_t correlation) const;

 private:
  std::vector<SyncWait> waits_;  // by correlation
  std::vector<std::pair<std::int64_t, std::uint32_t>> records_;
};

}  // namespace tune::profile
