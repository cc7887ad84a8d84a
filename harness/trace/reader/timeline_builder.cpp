#include "trace/reader/timeline_builder.h"

#include "base/error.h"
#include "base/units.h"
#include "trace/decimal_time.h"
#include "trace/reader/drop_rows.h"
#include "trace/reader/foreign_rows.h"

#include <algorithm>
#include <limits>
#include <new>

namespace tune::profile {

namespace {

constexpr std::int64_t kRowsBetweenLooks = 4096;                     // at the memory held
constexpr std::size_t kMostCategories = 256, kLongestCategory = 64;  // remembered
// Differences of two times, and a week more, fit int64.
constexpr std::int64_t kFarthestNs =
    std::numeric_limits<std::int64_t>::max() / 2 - std::int64_t{7} * 24 * 3600 * 1'000'000'000;

// Before Kineto, torch.autograd wrote no categories, but these process names.
Category category_of_process(std::string_view process) {
  if (process == "CPU functions") {
    return Category::cpu_op;
  }
  return process == "CUDA functions" || process == "GPU functions" ? Category::kernel
                                                                   : Category::other;
}

bool is_on_device(Category category) {
  return is_device_work(category) || category == Category::gpu_user_annotation ||
         category == Category::synchronization;
}

// "stream 7 " and "GPU 0" end with the number; plain numbers are themselves.
std::string_view last_number(std::string_view text) {
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  const std::size_t space = text.rfind(' ');
  const std::string_view number = space == std::string_view::npos ? text : text.substr(space + 1);
  const bool is_number = !number.empty() && std::all_of(number.begin(), number.end(), [](char c) {
    return c >= '0' && c <= '9';
  });
  return is_number ? number : std::string_view();
}

bool is_longer_first(const Event& a, const Event& b) {
  return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.duration_ns > b.duration_ns;
}

}  // namespace

TimelineBuilder::TimelineBuilder(Timeline& timeline, const ReadOptions& options)
    : timeline_(timeline), options_(options), numbers_{timeline.notes}, tracks_(timeline) {}

// What is reserved and not used takes no memory, only addresses; a table that grows by copying
// takes twice its size while it does.
void TimelineBuilder::expect_rows(std::int64_t rows) {
  const auto reserve = [&](auto& table) {
    const auto room = options_.memory_limit_bytes / static_cast<std::int64_t>(sizeof(table[0]));
    const auto wanted = static_cast<std::size_t>(std::clamp<std::int64_t>(rows, 0, room));
    if (wanted > table.capacity()) {
      table.reserve(wanted);
    }
  };
  try {
    reserve(timeline_.events);
    reserve(timeline_.kernels);
    reserve(timeline_.ops);
    reserve(timeline_.memory);
    if (options_.with_python) {
      reserve(timeline_.frames);
    }
  } catch (const std::bad_alloc&) {  // addresses are limited too: then they grow
  }
}

void TimelineBuilder::add(const Row& row) {
  numbers_.offset = row.offset;
  if (++rows_ % kRowsBetweenLooks == 0) {
    keep_within_memory();
  }
  const char phase = row.phase.size() == 1 ? row.phase[0] : '\0';
  switch (phase) {
    case 'X':
      return add_complete(row, classify(row));
    case 'i':
    case 'I':
    case 'R':
      return add_instant(row, classify(row));
    case 'M':
      return add_metadata(row);
    case 'B':
    case 'E':
      return add_edge(row, classify(row));
    case 's':
    case 't':
    case 'f':
      return timeline_.notes.add(NoteKind::flow, row.offset);
    case 'C':
      return timeline_.notes.add(NoteKind::counter, row.offset);
    case 'b':
    case 'n':
    case 'e':
    case 'S':
    case 'T':
    case 'F':
      return timeline_.notes.add(NoteKind::async, row.offset);
    default:
      return timeline_.notes.add(NoteKind::unknown_phase, row.offset);
  }
}

void TimelineBuilder::add_complete(const Row& row, Category category) {
  if (category == Category::python_function && !options_.with_python && !is_kept_frame(row)) {
    return timeline_.notes.add(NoteKind::python_function, row.offset);
  }
  Event event;
  if (!read_start(row, event.start_ns) || !read_duration(row, event.duration_ns)) {
    return;
  }
  if (timeline_.cut_at_ns && event.start_ns >= *timeline_.cut_at_ns) {
    return timeline_.notes.add(NoteKind::beyond_memory_limit, row.offset);
  }
  if (event.start_ns > std::numeric_limits<std::int64_t>::max() - event.duration_ns) {
    return timeline_.notes.add(NoteKind::impossible_duration, row.offset);
  }
  event.category = category;
  event.name = text(row.name);
  event.correlation = numbers_.integer(row.argument(Argument::correlation), kUnknownId);
  event.external_id = numbers_.integer(row.argument(Argument::external_id), kUnknownId);
  event.track = track_of(row, category);
  event.detail = detail_of(row, category);
  timeline_.events.push_back(event);
}

void TimelineBuilder::add_instant(const Row& row, Category category) {
  std::int64_t start_ns = 0;
  if (row.name == "[memory]") {
    if (!read_start(row, start_ns)) {
      return;
    }
    if (timeline_.cut_at_ns && start_ns >= *timeline_.cut_at_ns) {
      return timeline_.notes.add(NoteKind::beyond_memory_limit, row.offset);
    }
    MemoryEvent memory;
    memory.time_ns = start_ns;
    memory.bytes = numbers_.integer(row.argument(Argument::memory_bytes), 0);
    memory.address = numbers_.integer(row.argument(Argument::address), kUnknownNumber);
    memory.total_allocated_bytes =
        numbers_.integer(row.argument(Argument::total_allocated), kUnknownNumber);
    memory.total_reserved_bytes =
        numbers_.integer(row.argument(Argument::total_reserved), kUnknownNumber);
    memory.track = track_of(row, category);
    memory.device_type =
        static_cast<std::int32_t>(numbers_.integer(row.argument(Argument::device_type), -1));
    memory.device =
        static_cast<std::int32_t>(numbers_.integer(row.argument(Argument::device_id), -1));
    timeline_.memory.push_back(memory);
    return;
  }
  if (row.name == "Record Window End" && read_start(row, start_ns)) {
    timeline_.window_end_ns = start_ns;
  }
  timeline_.notes.add(NoteKind::instant, row.offset);
}

void TimelineBuilder::add_edge(const Row& row, Category category) {
  if (category == Category::python_function && !options_.with_python) {
    return timeline_.notes.add(NoteKind::python_function, row.offset);
  }
  Edge edge{.is_begin = row.phase == "B", .offset = row.offset};
  if (!read_start(row, edge.event.start_ns)) {
    return;
  }
  edge.event.category = category;
  edge.event.name = text(row.name);
  edge.event.correlation = numbers_.integer(row.argument(Argument::correlation), kUnknownId);
  edge.event.external_id = numbers_.integer(row.argument(Argument::external_id), kUnknownId);
  edge.event.track = track_of(row, category);
  edges_.push_back(edge);
}

void TimelineBuilder::add_metadata(const Row& row) {
  const StringId process = text(row.process);
  if (row.name == "process_name") {
    tracks_.name_process(process, text(row.argument(Argument::name)));
  } else if (row.name == "thread_name") {
    tracks_.name_thread(process, text(row.thread), text(row.argument(Argument::name)));
  }
}

Category TimelineBuilder::classify(const Row& row) {
  if (row.category.empty()) {
    return category_of_process(row.process);
  }
  const auto seen = std::find_if(categories_.begin(), categories_.end(), [&row](const auto& entry) {
    return entry.first == row.category;
  });
  const Category category = seen == categories_.end() ? category_of(row.category) : seen->second;
  if (seen == categories_.end() && categories_.size() < kMostCategories &&
      row.category.size() <= kLongestCategory) {
    categories_.emplace_back(row.category, category);
  }
  if (category == Category::other && row.phase == "X") {
    timeline_.notes.add_category(row.category);
  }
  return category == Category::kernel && row.category == kMtiaEvents ? mtia_category(row.name)
                                                                     : category;
}

bool TimelineBuilder::read_start(const Row& row, std::int64_t& ns) {
  const DecimalTime start = microseconds_to_ns(row.start);
  const bool is_out = !start.error && (start.ns > kFarthestNs || start.ns < -kFarthestNs);
  if (start.error == DecimalError::out_of_range || is_out) {
    throw Error(Error::Parts{timeline_.file + ": byte " + std::to_string(row.offset),
                             "a time of " + std::string(row.start.substr(0, 40)) + " us",
                             "times must lie within int64 ns",
                             "another program has written this row"});
  }
  if (start.error) {
    timeline_.notes.add(NoteKind::row_without_time, row.offset);
    return false;
  }
  ns = start.ns;
  return true;
}

bool TimelineBuilder::read_duration(const Row& row, std::int64_t& ns) {
  if (row.duration.empty()) {
    timeline_.notes.add(NoteKind::missing_duration, row.offset);
    return true;
  }
  const DecimalTime duration = microseconds_to_ns(row.duration);
  if (duration.error == DecimalError::not_a_number) {
    timeline_.notes.add(NoteKind::row_without_time, row.offset);
    return false;
  }
  if (duration.error || duration.ns < 0) {
    const bool is_negative = row.duration.starts_with('-');
    timeline_.notes.add(is_negative ? NoteKind::negative_duration : NoteKind::impossible_duration,
                        row.offset);
    return false;
  }
  ns = duration.ns;
  return true;
}

std::uint32_t TimelineBuilder::track_of(const Row& row, Category category) {
  Track track;
  track.process = text(row.process);
  track.thread = text(row.thread);
  if (is_on_device(category)) {
    track.is_device = true;
    const std::string_view device =
        row.has(Argument::device) ? row.argument(Argument::device) : last_number(row.process);
    const std::string_view stream =
        row.has(Argument::stream) ? row.argument(Argument::stream) : last_number(row.thread);
    track.device = static_cast<std::int32_t>(numbers_.integer(device, -1));
    track.stream = numbers_.integer(stream, kUnknownId);
  }
  return tracks_.find(track);
}

StringId TimelineBuilder::text(std::string_view piece) {
  return timeline_.strings.intern(unescaped(piece, buffer_));
}

StringId TimelineBuilder::json(std::string_view piece) {
  return piece.empty() ? 0 : timeline_.strings.intern(compact(piece, buffer_));
}

// Ends close the begin that was opened last on their track, in the order of time.
void TimelineBuilder::pair_edges() {
  std::stable_sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
    return a.event.start_ns < b.event.start_ns;
  });
  std::vector<std::vector<Edge>> open(timeline_.tracks.size());
  for (const Edge& edge : edges_) {
    auto& stack = open[edge.event.track];
    if (edge.is_begin) {
      stack.push_back(edge);
    } else if (stack.empty()) {
      timeline_.notes.add(NoteKind::end_without_begin, edge.offset);
    } else {
      Event event = stack.back().event;
      stack.pop_back();
      event.duration_ns = edge.event.start_ns - event.start_ns;
      timeline_.events.push_back(event);
    }
  }
  for (const auto& stack : open) {
    for (const Edge& edge : stack) {
      timeline_.notes.add(NoteKind::begin_without_end, edge.offset);
    }
  }
  edges_.clear();
}

void TimelineBuilder::keep_within_memory() {
  const auto held = [this] {
    return static_cast<std::int64_t>(rows_held_bytes(timeline_) + timeline_.strings.bytes() +
                                     tracks_.bytes() + edges_.size() * sizeof(Edge));
  };
  if (held() <= options_.memory_limit_bytes) {
    return;
  }
  // The second half of what is there goes, and all that follows it: what stays is whole.
  const std::int64_t cut_ns = median_start_ns(timeline_);
  keep_before(timeline_, cut_ns);
  if (held() > options_.memory_limit_bytes / 5 * 4) {
    throw Error(Error::Parts{
        timeline_.file,
        "does not fit into the memory that it may take",
        format_bytes(options_.memory_limit_bytes) + " for its rows hold less than half of it",
        "--memory 8GiB"});
  }
}

void TimelineBuilder::finish() {
  pair_edges();
  if (timeline_.cut_at_ns) {
    keep_before(timeline_, *timeline_.cut_at_ns);
  }
  drop_impossible(timeline_);
  if (!std::is_sorted(timeline_.events.begin(), timeline_.events.end(), is_longer_first)) {
    std::stable_sort(timeline_.events.begin(), timeline_.events.end(), is_longer_first);
  }
  std::stable_sort(timeline_.memory.begin(),
                   timeline_.memory.end(),
                   [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
  tracks_.finish();
  read_foreign_rows(timeline_);
}

}  // namespace tune::profile
