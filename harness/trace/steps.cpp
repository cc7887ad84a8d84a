#include "trace/steps.h"

#include "trace/inferred_steps.h"

#include <algorithm>
#include <charconv>

namespace tune::profile {

namespace {

constexpr std::string_view kMark = "ProfilerStep#";

std::optional<std::int64_t> number_of(std::string_view name) {
  std::int64_t number = 0;
  const char* const begin = name.data() + kMark.size();
  const auto [stopped, error] = std::from_chars(begin, name.data() + name.size(), number);
  return error == std::errc() && stopped != begin ? std::optional(number) : std::nullopt;
}

bool is_host_mark(const Timeline& timeline, const Event& event) {
  return (event.category == Category::user_annotation || event.category == Category::cpu_op) &&
         marks_step(timeline.name(event));
}

bool counts_for_extent(Category category) {
  return category != Category::gpu_user_annotation && category != Category::span &&
         category != Category::python_function && category != Category::overhead;
}

// Rows of the host's tracks come by time. In a file that ends in the middle of a row, what is after
// the last operator of a track is not known to be empty: tracks with a tenth of the operators
// count.
std::optional<std::int64_t> end_of_cut_file(const Timeline& timeline) {
  if (timeline.notes.of(NoteKind::truncated_tail).count == 0) {
    return std::nullopt;
  }
  struct Track {
    std::size_t operators = 0;
    std::int64_t end_ns = 0;
  };
  std::vector<Track> tracks(timeline.tracks.size());
  std::size_t operators = 0;
  for (const Event& event : timeline.events) {
    if (event.category == Category::cpu_op) {
      Track& track = tracks[event.track];
      track.end_ns =
          track.operators++ == 0 ? event.end_ns() : std::max(track.end_ns, event.end_ns());
      ++operators;
    }
  }
  std::optional<std::int64_t> end_ns;
  for (const Track& track : tracks) {
    if (track.operators > 0 && 10 * track.operators >= operators) {
      end_ns = end_ns ? std::min(*end_ns, track.end_ns) : track.end_ns;
    }
  }
  return end_ns;
}

// From where on rows are missing: they did not fit into memory, or were not written.
std::optional<std::int64_t> cut_ns(const Timeline& timeline) {
  return timeline.cut_at_ns ? timeline.cut_at_ns : end_of_cut_file(timeline);
}

}  // namespace

Steps whole_trace(const Timeline& timeline) {
  const std::optional<std::int64_t> cut = cut_ns(timeline);
  Step whole{.name = "trace"};
  bool has_row = false;
  for (const Event& event : timeline.events) {
    if (!counts_for_extent(event.category)) {
      continue;
    }
    Interval& interval = whole.interval;
    const std::int64_t end_ns = cut ? std::min(event.end_ns(), *cut) : event.end_ns();
    interval.begin_ns = has_row ? std::min(interval.begin_ns, event.start_ns) : event.start_ns;
    interval.end_ns = has_row ? std::max(interval.end_ns, end_ns) : end_ns;
    has_row = true;
  }
  Steps steps;
  if (has_row && whole.interval.length_ns() > 0) {
    steps.steps.push_back(std::move(whole));
  }
  return steps;
}

std::vector<Interval> Steps::intervals() const {
  std::vector<Interval> all;
  all.reserve(steps.size());
  for (const Step& step : steps) {
    all.push_back(step.interval);
  }
  return all;
}

Intervals Steps::covered() const {
  return unite(intervals());
}

std::int64_t Steps::total_ns() const {
  std::int64_t total_ns = 0;
  for (const Step& step : steps) {
    total_ns += step.interval.length_ns();
  }
  return total_ns;
}

bool marks_step(std::string_view name) {
  return name.starts_with(kMark);
}

std::uint32_t marking_track(const Timeline& timeline) {
  const auto mark =
      std::find_if(timeline.events.begin(), timeline.events.end(), [&timeline](const Event& event) {
        return is_host_mark(timeline, event);
      });
  return mark == timeline.events.end() ? kNone : mark->track;
}

Steps find_steps(const Timeline& timeline) {
  Steps marked;
  const std::optional<std::int64_t> cut = cut_ns(timeline);
  std::int64_t covered_until_ns = std::numeric_limits<std::int64_t>::min();
  for (const Event& event : timeline.events) {  // by start
    if (!is_host_mark(timeline, event)) {
      continue;
    }
    marked.are_known = true;
    if (cut && event.end_ns() > *cut) {
      ++marked.unfinished;
      continue;
    }
    const Interval interval{std::max(event.start_ns, covered_until_ns), event.end_ns()};
    if (interval.end_ns <= interval.begin_ns) {
      continue;
    }
    covered_until_ns = interval.end_ns;
    const std::string_view name = timeline.name(event);
    if (!marked.steps.empty() && marked.steps.back().name == name &&
        marked.steps.back().interval.end_ns == interval.begin_ns) {
      marked.steps.back().interval.end_ns = interval.end_ns;  // the same step, marked twice
    } else {
      marked.steps.push_back({std::string(name), number_of(name), interval});
    }
  }
  if (!marked.steps.empty()) {
    return marked;
  }
  Steps inferred = infer_steps(timeline, cut);
  return inferred.are_known ? inferred : whole_trace(timeline);
}

}  // namespace tune::profile
