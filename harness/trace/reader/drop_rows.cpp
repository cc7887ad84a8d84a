#include "trace/reader/drop_rows.h"

#include <algorithm>
#include <limits>
#include <vector>

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

namespace {

template <class Row>
std::size_t used(const std::vector<Row>& table) {
  return table.size() * sizeof(Row);
}

// Moves the rows of a side table that are still addressed to its front, in their order.
template <class Row>
class Compaction {
 public:
  explicit Compaction(std::vector<Row>& table) : table_(table) {}
  std::uint32_t move(std::uint32_t from) {
    if (from >= table_.size()) {
      return from;
    }
    table_[next_] = table_[from];
    return static_cast<std::uint32_t>(next_++);
  }
  void finish() { table_.resize(next_); }

 private:
  std::vector<Row>& table_;
  std::size_t next_ = 0;
};

}  // namespace

std::size_t rows_held_bytes(const Timeline& timeline) {
  return used(timeline.events) + used(timeline.kernels) + used(timeline.copies) +
         used(timeline.syncs) + used(timeline.ops) + used(timeline.frames) +
         used(timeline.collectives) + used(timeline.memory);
}

std::int64_t median_start_ns(const Timeline& timeline) {
  constexpr std::size_t kMostSamples = 100'000;
  const std::size_t stride = timeline.events.size() / kMostSamples + 1;
  std::vector<std::int64_t> starts;
  starts.reserve(timeline.events.size() / stride + 1);
  for (std::size_t i = 0; i < timeline.events.size(); i += stride) {
    starts.push_back(timeline.events[i].start_ns);
  }
  const auto middle = starts.begin() + static_cast<std::ptrdiff_t>(starts.size() / 2);
  std::nth_element(starts.begin(), middle, starts.end());
  return *middle;
}

// Rows are appended to their side tables in the order of `events`, so details only move forward.
// Collectives stay: two tables address them, and they are few.
void keep_before(Timeline& timeline, std::int64_t cut_ns) {
  Compaction kernels(timeline.kernels);
  Compaction copies(timeline.copies);
  Compaction syncs(timeline.syncs);
  Compaction ops(timeline.ops);
  Compaction frames(timeline.frames);
  std::size_t kept = 0;
  for (Event event : timeline.events) {
    if (event.start_ns >= cut_ns) {
      continue;
    }
    switch (event.category) {
      case Category::kernel:
        event.detail = kernels.move(event.detail);
        break;
      case Category::memcpy:
      case Category::memset:
        event.detail = copies.move(event.detail);
        break;
      case Category::synchronization:
        event.detail = syncs.move(event.detail);
        break;
      case Category::cpu_op:
      case Category::user_annotation:
        event.detail = ops.move(event.detail);
        break;
      case Category::python_function:
        event.detail = frames.move(event.detail);
        break;
      default:
        break;
    }
    timeline.events[kept++] = event;
  }
  auto dropped = static_cast<std::int64_t>(timeline.events.size() - kept);
  timeline.events.resize(kept);
  kernels.finish();
  copies.finish();
  syncs.finish();
  ops.finish();
  frames.finish();
  dropped += static_cast<std::int64_t>(std::erase_if(
      timeline.memory, [cut_ns](const auto& memory) { return memory.time_ns >= cut_ns; }));
  timeline.cut_at_ns = std::min(cut_ns, timeline.cut_at_ns.value_or(cut_ns));
  if (dropped > 0) {
    timeline.notes.add(NoteKind::beyond_memory_limit, -1, dropped);
  }
}

}  // namespace tune::profile
