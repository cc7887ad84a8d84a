#pragma once

#include "trace/timeline.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace tune::profile {

/// Finds the track of a row, and remembers the names that metadata rows give.
class TrackTable {
 public:
  explicit TrackTable(Timeline& timeline) : timeline_(timeline) {}

  std::uint32_t find(const Track& track);
  void name_process(StringId process, StringId name) { process_names_[process] = name; }
  void name_thread(StringId process, StringId thread, StringId name);
  /// Writes the names into the tracks.
  void finish();
  /// Memory that tracks and names take, about, bytes.
  std::size_t bytes() const;

 private:
  struct Key {
    StringId process = 0, thread = 0;
    std::int32_t device = -1;
    std::int64_t stream = kUnknownId;
    bool is_device = false;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  Timeline& timeline_;
  std::unordered_map<Key, std::uint32_t, Hash> tracks_;
  std::unordered_map<StringId, StringId> process_names_;
  std::unordered_map<std::uint64_t, StringId> thread_names_;
  Key last_;
  std::uint32_t last_track_ = kNone;
};

}  // namespace tune::profile
