#include "trace/reader/track_table.h"

namespace tune::profile {

namespace {

std::uint64_t joined(StringId process, StringId thread) {
  return (static_cast<std::uint64_t>(process) << 32) | thread;
}

template <class Names, class Key>
StringId name_in(const Names& names, Key key) {
  const auto found = names.find(key);
  return found == names.end() ? 0 : found->second;
}

}  // namespace

std::size_t TrackTable::Hash::operator()(const Key& key) const {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  std::uint64_t hash = joined(key.process, key.thread) * kOdd;
  hash = (hash ^ (hash >> 32) ^ static_cast<std::uint64_t>(key.stream)) * kOdd;
  hash = (hash ^ (hash >> 32) ^ static_cast<std::uint32_t>(key.device)) * kOdd;
  return static_cast<std::size_t>(hash ^ (hash >> 29) ^ (key.is_device ? 1 : 0));
}

std::uint32_t TrackTable::find(const Track& track) {
  const Key key{track.process, track.thread, track.device, track.stream, track.is_device};
  if (last_track_ != kNone && key == last_) {
    return last_track_;
  }
  const auto next = static_cast<std::uint32_t>(timeline_.tracks.size());
  const auto [entry, is_new] = tracks_.try_emplace(key, next);
  if (is_new) {
    timeline_.tracks.push_back(track);
  }
  last_ = key;
  last_track_ = entry->second;
  return last_track_;
}

void TrackTable::name_thread(StringId process, StringId thread, StringId name) {
  thread_names_[joined(process, thread)] = name;
}

std::size_t TrackTable::bytes() const {
  constexpr std::size_t kOfNode = 32;  // links, bucket and what the allocator adds
  return tracks_.size() * (sizeof(Track) + sizeof(Key) + kOfNode) +
         process_names_.size() * (sizeof(StringId) * 2 + kOfNode) +
         thread_names_.size() * (sizeof(std::uint64_t) + sizeof(StringId) + kOfNode);
}

void TrackTable::finish() {
  for (Track& track : timeline_.tracks) {
    track.process_name = name_in(process_names_, track.process);
    track.thread_name = name_in(thread_names_, joined(track.process, track.thread));
  }
}

}  // namespace tune::profile
