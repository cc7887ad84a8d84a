#include "cli/trace_range.h"

#include "base/error.h"
#include "base/units.h"
#include "base/whole_number.h"
#include "profile/reader/read_trace.h"
#include "profile/steps.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace tune::cli {

namespace {

using viewer::VisibleRange;

std::optional<std::int64_t> whole_number(std::string_view text) {
  const auto number = parse_whole(text);
  return number && *number >= 0 ? number : std::nullopt;
}

// "6" and "6-10".
std::pair<std::int64_t, std::int64_t> wished_steps(const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto first = whole_number(std::string_view(text).substr(0, dash));
  const auto last =
      dash == std::string::npos ? first : whole_number(std::string_view(text).substr(dash + 1));
  if (!first || !last || *first > *last) {
    throw Error(Error::Parts{"--step " + text,
                             "names no step",
                             "the number of a ProfilerStep row, or the first and the last",
                             "--step 6, --step 6-10"});
  }
  return {*first, *last};
}

// Seconds without a unit, for that is what Perfetto's ruler shows.
std::int64_t wished_time(const std::string& flag, const std::string& text) {
  constexpr double kMostSeconds = 1e9;
  double seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size() && seconds >= 0 &&
      seconds <= kMostSeconds) {
    return std::llround(seconds * 1e9);
  }
  if (const auto ns = parse_time_ns(text)) {
    return *ns;
  }
  throw Error(Error::Parts{flag + " " + text,
                           "is no time",
                           "seconds since the first row, or with a unit",
                           flag + " 0.5, " + flag + " 120ms"});
}

std::string numbers_of(const profile::Steps& steps) {
  if (!steps.are_marked || steps.steps.empty()) {
    return "no row of it marks a step";
  }
  const auto number = [](const profile::Step& step) {
    return step.number ? std::to_string(*step.number) : "?";
  };
  return "it has " + number(steps.steps.front()) + " to " + number(steps.steps.back());
}

VisibleRange range_of_steps(const std::string& text, const profile::Timeline& timeline) {
  const auto [first, last] = wished_steps(text);
  const profile::Steps steps = profile::find_steps(timeline);
  const auto with_number = [&](std::int64_t wanted) -> const profile::Step& {
    const auto found =
        std::find_if(steps.steps.begin(), steps.steps.end(), [&](const profile::Step& step) {
          return step.number == wanted;
        });
    if (found == steps.steps.end()) {
      throw Error(Error::Parts{"--step " + text,
                               timeline.file + " has no step " + std::to_string(wanted),
                               numbers_of(steps),
                               ""});
    }
    return *found;
  };
  return {with_number(first).interval.begin_ns, with_number(last).interval.end_ns};
}

// Of all rows, as Perfetto takes the whole of a trace.
VisibleRange whole_of(const profile::Timeline& timeline) {
  VisibleRange whole{std::numeric_limits<std::int64_t>::max(),
                     std::numeric_limits<std::int64_t>::min()};
  const auto take = [&](std::int64_t begin_ns, std::int64_t end_ns) {
    whole.begin_ns = std::min(whole.begin_ns, begin_ns);
    whole.end_ns = std::max(whole.end_ns, end_ns);
  };
  for (const profile::Event& event : timeline.events) {
    take(event.start_ns, event.end_ns());
  }
  for (const profile::MemoryEvent& event : timeline.memory) {
    take(event.time_ns, event.time_ns);
  }
  return whole;
}

VisibleRange range_of_times(const RangeWish& wish, const profile::Timeline& timeline) {
  const VisibleRange whole = whole_of(timeline);
  VisibleRange range = whole;
  if (!wish.from.empty()) {
    range.begin_ns = whole.begin_ns + wished_time("--from", wish.from);
  }
  if (!wish.to.empty()) {
    range.end_ns = std::min(whole.end_ns, whole.begin_ns + wished_time("--to", wish.to));
  }
  if (range.begin_ns >= range.end_ns) {
    throw Error(Error::Parts{"--from " + wish.from,
                             timeline.file + " has ended by then",
                             "it is " + format_time(whole.end_ns - whole.begin_ns) + " long",
                             ""});
  }
  return range;
}

}  // namespace

void check(const RangeWish& wish) {
  if (!wish.step.empty() && (!wish.from.empty() || !wish.to.empty())) {
    throw Error(Error::Parts{"--step " + wish.step,
                             "does not go with --from and --to",
                             "both say which part is shown",
                             "one of the two"});
  }
  if (!wish.step.empty()) {
    wished_steps(wish.step);
  }
  const std::int64_t from_ns = wish.from.empty() ? 0 : wished_time("--from", wish.from);
  if (!wish.to.empty() && wished_time("--to", wish.to) <= from_ns) {
    throw Error(Error::Parts{"--to " + wish.to,
                             "is not behind " + (wish.from.empty() ? "the begin" : wish.from),
                             "both count from the first row",
                             ""});
  }
}

std::optional<VisibleRange> visible_range(const RangeWish& wish,
                                          const std::filesystem::path& trace) {
  if (!wish.wanted()) {
    return std::nullopt;
  }
  profile::ReadOptions options;
  options.with_python = true;  // the first row may be a frame
  const profile::Timeline timeline = profile::read_trace(trace, options);
  return wish.step.empty() ? range_of_times(wish, timeline) : range_of_steps(wish.step, timeline);
}

}  // namespace tune::cli
