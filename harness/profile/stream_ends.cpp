#include "profile/stream_ends.h"

#include <algorithm>
#include <iterator>

namespace tune::profile {

StreamEnds::StreamEnds(const std::vector<Track>& tracks)
    : tracks_(tracks),
      end_ns_(tracks.size(), kUnknownNumber),
      taken_ns_(tracks.size(), kUnknownNumber) {}

void StreamEnds::set(std::uint32_t track, std::int64_t end_ns) {
  if (end_ns_[track] == taken_ns_[track] && end_ns != end_ns_[track]) {
    changed_.push_back(track);
  }
  end_ns_[track] = end_ns;
}

std::vector<std::uint32_t> StreamEnds::latest(std::int32_t device, std::size_t most) {
  take_changes();
  const Ends& ends = device < 0 ? all_ : by_device_[device];
  std::vector<std::uint32_t> streams;
  streams.reserve(std::min(most, ends.size()));
  for (auto end = ends.rbegin(); end != ends.rend() && streams.size() < most; ++end) {
    streams.push_back(end->second);
  }
  std::sort(streams.begin(), streams.end());
  return streams;
}

std::uint32_t StreamEnds::last_within(Interval time) {
  take_changes();
  const auto later = all_.upper_bound({time.end_ns, kNone});
  if (later == all_.begin() || std::prev(later)->first <= time.begin_ns) {
    return kNone;
  }
  return std::prev(later)->second;
}

// Most work is given to a stream while nobody asks.
void StreamEnds::take_changes() {
  for (const std::uint32_t track : changed_) {
    for (Ends* const ends : {&all_, &by_device_[tracks_[track].device]}) {
      ends->erase({taken_ns_[track], track});
      ends->emplace(end_ns_[track], track);
    }
    taken_ns_[track] = end_ns_[track];
  }
  changed_.clear();
}

}  // namespace tune::profile
