#include "trace/stream_waits.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

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

namespace {

using Kind = SyncWait::Kind;
using StreamTracks = std::map<std::pair<std::int32_t, std::int64_t>, std::uint32_t>;

Kind kind_of(std::string_view name) {
  return name == "Context Sync"        ? Kind::device
         : name == "Stream Sync"       ? Kind::stream
         : name == "Event Sync"        ? Kind::event
         : name == "Stream Wait Event" ? Kind::stream_event
                                       : Kind::other;
}

StreamTracks stream_tracks(const Timeline& timeline) {
  StreamTracks tracks;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.is_device) {
      tracks.try_emplace({track.device, track.stream}, i);
    }
  }
  return tracks;
}

std::uint32_t track_of(const StreamTracks& tracks, std::int32_t device, std::int64_t stream) {
  const auto found = tracks.find({device, stream});
  return found == tracks.end() ? kNone : found->second;
}

bool is_before(const SyncWait& wait, std::int64_t correlation) {
  return wait.correlation < correlation;
}

}  // namespace

SyncWaits::SyncWaits(const Timeline& timeline) {
  const StreamTracks tracks = stream_tracks(timeline);
  for (const Event& event : timeline.events) {
    const SyncDetail* const detail = timeline.sync(event);
    if (detail == nullptr || event.correlation <= 0) {
      continue;
    }
    const Track& track = timeline.track(event);
    SyncWait wait{event.correlation, kind_of(timeline.name(event)), track.device};
    wait.stream = track_of(tracks, track.device, track.stream);
    wait.recorded = track_of(tracks, track.device, detail->waits_for_stream);
    wait.record = detail->waits_for_record_correlation;
    if (wait.record > 0 && wait.recorded != kNone) {
      records_.emplace_back(wait.record, wait.recorded);
    }
    waits_.push_back(wait);
  }
  std::stable_sort(waits_.begin(), waits_.end(), [](const SyncWait& a, const SyncWait& b) {
    return a.correlation < b.correlation;
  });
  std::sort(records_.begin(), records_.end());
}

const SyncWait* SyncWaits::of(std::int64_t correlation) const {
  const auto found = std::lower_bound(waits_.begin(), waits_.end(), correlation, is_before);
  return found != waits_.end() && found->correlation == correlation ? &*found : nullptr;
}

std::uint32_t SyncWaits::recorded_on(std::int64_t correlation) const {
  const auto found = std::lower_bound(records_.begin(), records_.end(), std::pair(correlation, 0U));
  return found != records_.end() && found->first == correlation ? found->second : kNone;
}

}  // namespace tune::profile
