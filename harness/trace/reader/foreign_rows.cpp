#include "trace/reader/foreign_rows.h"

#include <charconv>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tune::profile {

namespace {

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

// Tasks that only order streams run no kernel.
Category category_of_ascend_task(std::string_view name) {
  if (has(name, "MEMCPY") || has(name, "Memcpy")) {
    return Category::memcpy;
  }
  if (name == "MEMSET_ASYNC") {
    return Category::memset;
  }
  return name.starts_with("EVENT_") || name.starts_with("NOTIFY_") || has(name, "Notify_")
             ? Category::synchronization
             : Category::kernel;
}

Category category_of_xla_row(std::string_view name) {
  return name.starts_with("Memcpy")   ? Category::memcpy
         : name.starts_with("Memset") ? Category::memset
                                      : Category::kernel;
}

// The number after `prefix`, up to anything else.
void become_stream(const Timeline& timeline,
                   std::string_view prefix,
                   std::int32_t device,
                   Track& track) {
  track.is_device = true;
  track.device = device;
  std::string_view name = timeline.strings.text(track.thread_name);
  if (name.starts_with(prefix)) {
    name.remove_prefix(prefix.size());
    std::int64_t stream = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), stream);
    const bool ends = end == name.data() + name.size() || *end == '(';
    track.stream = error == std::errc() && ends && stream >= 0 ? stream : kUnknownId;
  }
}

/// What the tracks of a profiler are.
struct ForeignTracks {
  std::vector<bool> makes_calls;
  bool has_ascend = false, has_xla = false;
};

ForeignTracks name_tracks(Timeline& timeline) {
  constexpr std::string_view kAscendStream = "Stream ", kXlaStream = "Stream #", kTpu = "XLA Ops";
  ForeignTracks found{.makes_calls = std::vector<bool>(timeline.tracks.size())};
  std::unordered_map<StringId, std::int32_t> devices;  // by process, in the order seen
  for (std::size_t i = 0; i < timeline.tracks.size(); ++i) {
    Track& track = timeline.tracks[i];
    const std::string_view process = timeline.strings.text(track.process_name);
    const std::string_view thread = timeline.strings.text(track.thread_name);
    const bool is_ascend = process == "Ascend Hardware";
    const bool is_xla =
        process.starts_with("/device:") && (thread.starts_with(kXlaStream) || thread == kTpu);
    found.makes_calls[i] = process == "CANN";
    if (is_ascend || is_xla) {
      const auto next = static_cast<std::int32_t>(devices.size());
      become_stream(timeline,
                    is_xla ? kXlaStream : kAscendStream,
                    devices.try_emplace(track.process, next).first->second,
                    track);
    }
    found.has_ascend = found.has_ascend || is_ascend;
    found.has_xla = found.has_xla || is_xla;
  }
  return found;
}

}  // namespace

void read_foreign_rows(Timeline& timeline) {
  const ForeignTracks tracks = name_tracks(timeline);
  if (!tracks.has_ascend && !tracks.has_xla) {
    return;
  }
  for (Event& event : timeline.events) {
    if (event.category != Category::other) {
      continue;
    }
    if (timeline.tracks[event.track].is_device) {
      const std::string_view name = timeline.name(event);
      event.category = tracks.has_xla ? category_of_xla_row(name) : category_of_ascend_task(name);
      timeline.xla_rows += tracks.has_xla ? 1 : 0;
    } else if (tracks.has_ascend && tracks.makes_calls[event.track]) {
      event.category = Category::runtime;
    }
  }
  if (timeline.xla_rows > 0) {
    timeline.notes.warn(
        "a trace of XLA's profiler (JAX, TensorFlow): it has the device's work, but neither the "
        "host's operators nor its calls, so that nothing here says why the device waits");
  }
}

}  // namespace tune::profile
