#pragma once

#include "profile/intervals.h"
#include "profile/timeline.h"

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

}  // namespace tune::profile
