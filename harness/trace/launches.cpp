#include "trace/launches.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tune::profile {

namespace {

struct Call {
  std::int64_t correlation = 0;
  std::int64_t start_ns = 0;
  std::uint32_t event = 0;
};

bool correlates(const Event& event) {
  return event.correlation > 0;
}

std::vector<Call> sorted_calls(const Timeline& timeline) {
  std::vector<Call> calls;
  calls.reserve(timeline.events.size() / 4);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const Event& event = timeline.events[i];
    if (is_device_call(event.category) && correlates(event)) {
      calls.push_back({event.correlation, event.start_ns, i});
    }
  }
  const auto is_before = [](const Call& a, const Call& b) {
    return std::pair(a.correlation, a.event) < std::pair(b.correlation, b.event);
  };
  if (!std::is_sorted(calls.begin(), calls.end(), is_before)) {
    std::sort(calls.begin(), calls.end(), is_before);
  }
  return calls;
}

using CallsAt = std::vector<Call>::const_iterator;

// The first call with the correlation, or where it would stand. Work mostly runs in the order of
// its calls: `last` is where the search before ended.
CallsAt first_call(const std::vector<Call>& calls, std::int64_t correlation, CallsAt last) {
  constexpr int kNear = 4;
  const bool may_follow = last != calls.end() && last->correlation <= correlation;
  for (int i = 0; may_follow && i < kNear && last != calls.end(); ++i, ++last) {
    if (last->correlation >= correlation) {
      return last;
    }
  }
  return std::lower_bound(
      calls.begin(), calls.end(), correlation, [](const Call& call, std::int64_t wanted) {
        return call.correlation < wanted;
      });
}

// Events are sorted by start, so calls of one correlation are too. A kernel may seem to begin a
// little before its call (kineto#1380): then the first one counts.
std::uint32_t call_for(const std::vector<Call>& calls, CallsAt at, const Event& work) {
  if (at == calls.end() || at->correlation != work.correlation) {
    return kNone;
  }
  const auto next = std::next(at);
  if (next == calls.end() || next->correlation != work.correlation) {
    return at->event;
  }
  const auto later =
      std::upper_bound(next, calls.end(), work, [](const Event& event, const Call& call) {
        return std::pair(event.correlation, event.start_ns) <
               std::pair(call.correlation, call.start_ns);
      });
  return std::prev(later)->event;
}

}  // namespace

Launches find_launches(const Timeline& timeline) {
  const std::vector<Call> calls = sorted_calls(timeline);
  auto at = calls.begin();
  Launches launches;
  launches.call_of.assign(timeline.events.size(), kNone);
  launches.first_work_of.assign(timeline.events.size(), kNone);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const Event& event = timeline.events[i];
    if (!is_device_work(event.category) || !correlates(event)) {
      continue;
    }
    at = first_call(calls, event.correlation, at);
    const std::uint32_t call = call_for(calls, at, event);
    launches.call_of[i] = call;
    if (call != kNone && launches.first_work_of[call] == kNone) {
      launches.first_work_of[call] = i;
    }
  }
  return launches;
}

}  // namespace tune::profile
