#include "profile/sync_waits.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace tune::profile {

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
