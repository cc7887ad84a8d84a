#include "trace/reader/ascend_rows.h"

#include <charconv>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tune::profile {

namespace {

constexpr std::string_view kDevice = "Ascend Hardware", kCalls = "CANN", kStream = "Stream ";

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

// Tasks that only order streams run no kernel.
Category category_of_task(std::string_view name) {
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

void become_stream(const Timeline& timeline, std::int32_t device, Track& track) {
  track.is_device = true;
  track.device = device;
  std::string_view name = timeline.strings.text(track.thread_name);
  if (name.starts_with(kStream)) {
    name.remove_prefix(kStream.size());
    std::int64_t stream = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), stream);
    track.stream = error == std::errc() && end == name.data() + name.size() && stream >= 0
                       ? stream
                       : kUnknownId;
  }
}

}  // namespace

void read_ascend_rows(Timeline& timeline) {
  std::unordered_map<StringId, std::int32_t> devices;  // by process, in the order seen
  std::vector<bool> makes_calls(timeline.tracks.size());
  for (std::size_t i = 0; i < timeline.tracks.size(); ++i) {
    Track& track = timeline.tracks[i];
    const std::string_view process = timeline.strings.text(track.process_name);
    makes_calls[i] = process == kCalls;
    if (process == kDevice) {
      const auto next = static_cast<std::int32_t>(devices.size());
      become_stream(timeline, devices.try_emplace(track.process, next).first->second, track);
    }
  }
  if (devices.empty()) {
    return;
  }
  for (Event& event : timeline.events) {
    if (event.category != Category::other) {
      continue;
    }
    if (timeline.tracks[event.track].is_device) {
      event.category = category_of_task(timeline.name(event));
    } else if (makes_calls[event.track]) {
      event.category = Category::runtime;
    }
  }
}

}  // namespace tune::profile
