#include "profile/reader/drop_impossible.h"

#include <algorithm>
#include <limits>

namespace tune::profile {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kDayNs = std::int64_t{24} * 3600 * kSecondNs;
constexpr std::int64_t kLongestNs = 7 * kDayNs;

struct Extent {
  std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_ns = std::numeric_limits<std::int64_t>::min();

  void include(std::int64_t ns) {
    first_ns = std::min(first_ns, ns);
    last_ns = std::max(last_ns, ns);
  }
  // Unsigned: the difference of two int64 may not fit.
  std::uint64_t length_ns() const {
    return last_ns > first_ns
               ? static_cast<std::uint64_t>(last_ns) - static_cast<std::uint64_t>(first_ns)
               : 0;
  }
};

bool is_container(Category category) {
  return category == Category::user_annotation || category == Category::span ||
         category == Category::python_function;
}

void drop_zero_times(Timeline& timeline) {
  std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
  for (const Event& event : timeline.events) {
    if (event.start_ns != 0) {
      first_ns = std::min(first_ns, event.start_ns);
    }
  }
  if (first_ns == std::numeric_limits<std::int64_t>::max() || first_ns < kDayNs) {
    return;
  }
  const auto count =
      std::erase_if(timeline.events, [](const Event& event) { return event.start_ns == 0; });
  if (count > 0) {
    timeline.notes.add(NoteKind::zero_time, -1, static_cast<std::int64_t>(count));
  }
}

std::uint64_t longest_possible_ns(const Timeline& timeline) {
  Extent extent;
  bool has_container = false;
  for (const Event& event : timeline.events) {
    extent.include(event.start_ns);
    if (is_container(event.category) && event.duration_ns <= kLongestNs) {
      extent.include(event.end_ns());
      has_container = true;
    }
  }
  if (timeline.window_end_ns && *timeline.window_end_ns > extent.first_ns &&
      static_cast<std::uint64_t>(*timeline.window_end_ns) -
              static_cast<std::uint64_t>(extent.first_ns) <=
          static_cast<std::uint64_t>(kDayNs)) {
    extent.include(*timeline.window_end_ns);
    has_container = true;
  }
  if (!has_container) {
    for (const Event& event : timeline.events) {
      if (!is_device_work(event.category) && event.duration_ns <= kLongestNs) {
        extent.include(event.end_ns());
      }
    }
  }
  return std::max<std::uint64_t>(extent.length_ns(), kSecondNs);
}

}  // namespace

void drop_impossible(Timeline& timeline) {
  drop_zero_times(timeline);
  const std::uint64_t longest_ns = longest_possible_ns(timeline);
  const auto is_impossible = [longest_ns](const Event& event) {
    const bool is_checked = is_device_work(event.category) || is_device_call(event.category) ||
                            event.category == Category::cpu_op ||
                            event.category == Category::gpu_user_annotation;
    return event.duration_ns > kLongestNs ||
           (is_checked && static_cast<std::uint64_t>(event.duration_ns) > longest_ns);
  };
  const auto count = std::erase_if(timeline.events, is_impossible);
  if (count > 0) {
    timeline.notes.add(NoteKind::impossible_duration, -1, static_cast<std::int64_t>(count));
  }
}

}  // namespace tune::profile
