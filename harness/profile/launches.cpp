#include "profile/launches.h"

#include <algorithm>
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
  std::sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) {
    return std::pair(a.correlation, a.event) < std::pair(b.correlation, b.event);
  });
  return calls;
}

// Events are sorted by start, so calls of one correlation are too. A kernel may seem to begin a
// little before its call (kineto#1380): then the first one counts.
std::uint32_t call_for(const std::vector<Call>& calls, const Event& work) {
  auto at = std::lower_bound(
      calls.begin(), calls.end(), work.correlation, [](const Call& call, std::int64_t correlation) {
        return call.correlation < correlation;
      });
  if (at == calls.end() || at->correlation != work.correlation) {
    return kNone;
  }
  std::uint32_t nearest = at->event;
  for (; at != calls.end() && at->correlation == work.correlation; ++at) {
    if (at->start_ns <= work.start_ns) {
      nearest = at->event;
    }
  }
  return nearest;
}

}  // namespace

Launches find_launches(const Timeline& timeline) {
  const std::vector<Call> calls = sorted_calls(timeline);
  Launches launches;
  launches.call_of.assign(timeline.events.size(), kNone);
  launches.first_work_of.assign(timeline.events.size(), kNone);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const Event& event = timeline.events[i];
    if (!is_device_work(event.category) || !correlates(event)) {
      continue;
    }
    const std::uint32_t call = call_for(calls, event);
    launches.call_of[i] = call;
    if (call != kNone && launches.first_work_of[call] == kNone) {
      launches.first_work_of[call] = i;
    }
  }
  return launches;
}

}  // namespace tune::profile
