#include "profile/call_kinds.h"

#include <algorithm>

namespace tune::profile {

namespace {

constexpr std::int64_t kLeastBlockingNs = 20'000, kSurelyBlockingNs = 100'000;
constexpr std::int64_t kTimesMedian = 3;
constexpr std::int64_t kSmallCopyBytes = 65'536;

// By StringId: a name is looked at once.
struct CallNames {
  std::vector<CallKind> kinds;
  std::vector<bool> are_async_copies;
};

CallNames look_at_names(const Timeline& timeline) {
  CallNames names{.kinds = std::vector<CallKind>(timeline.strings.size(), CallKind::rest),
                  .are_async_copies = std::vector<bool>(timeline.strings.size())};
  std::vector<bool> is_looked_at(timeline.strings.size());
  for (const Event& event : timeline.events) {
    if (!is_device_call(event.category) || is_looked_at[event.name]) {
      continue;
    }
    is_looked_at[event.name] = true;
    names.kinds[event.name] = call_kind_of(timeline.name(event));
    names.are_async_copies[event.name] = is_async_copy(timeline.name(event));
  }
  return names;
}

std::int64_t limit_ns(const Timeline& timeline,
                      const Launches& launches,
                      const std::vector<std::uint32_t>& copies) {
  std::vector<std::int64_t> small;
  small.reserve(copies.size());
  for (const std::uint32_t call : copies) {
    const std::uint32_t work = launches.first_work_of[call];
    const CopyDetail* const copy = work == kNone ? nullptr : timeline.copy(timeline.events[work]);
    if (copy != nullptr && copy->bytes >= 0 && copy->bytes <= kSmallCopyBytes) {
      small.push_back(timeline.events[call].duration_ns);
    }
  }
  if (small.empty()) {
    return kLeastBlockingNs;
  }
  const auto middle = small.begin() + static_cast<std::ptrdiff_t>(small.size() / 2);
  std::nth_element(small.begin(), middle, small.end());
  return *middle >= kSurelyBlockingNs
             ? kSurelyBlockingNs
             : std::clamp(kTimesMedian * *middle, kLeastBlockingNs, kSurelyBlockingNs);
}

bool is_pageable(const Timeline& timeline, std::uint32_t work) {
  return work != kNone && timeline.events[work].category == Category::memcpy &&
         timeline.name(timeline.events[work]).find("Pageable") != std::string_view::npos;
}

}  // namespace

CallKinds::CallKinds(const Timeline& timeline, const Launches& launches)
    : kinds_(timeline.events.size(), CallKind::rest) {
  const CallNames names = look_at_names(timeline);
  std::vector<std::uint32_t> copies;
  copies.reserve(64);
  for (std::uint32_t i = 0; i < kinds_.size(); ++i) {
    const Event& call = timeline.events[i];
    if (!is_device_call(call.category)) {
      continue;
    }
    kinds_[i] = names.kinds[call.name];
    if (names.are_async_copies[call.name]) {
      copies.push_back(i);
    }
  }
  blocking_copy_limit_ns_ = limit_ns(timeline, launches, copies);
  for (const std::uint32_t call : copies) {
    if (timeline.events[call].duration_ns > blocking_copy_limit_ns_ ||
        is_pageable(timeline, launches.first_work_of[call])) {
      kinds_[call] = CallKind::blocking;
    }
  }
}

}  // namespace tune::profile
