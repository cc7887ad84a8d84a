#include "profile/call_kinds.h"

#include <algorithm>

namespace tune::profile {

namespace {

constexpr std::int64_t kLeastBlockingNs = 20'000;
constexpr std::int64_t kTimesMedian = 3;
constexpr std::int64_t kSmallCopyBytes = 65'536;

}  // namespace

CallKinds::CallKinds(const Timeline& timeline, const Launches& launches)
    : timeline_(timeline),
      launches_(launches),
      kinds_(timeline.strings.size(), CallKind::rest),
      is_async_copy_(timeline.strings.size()) {
  std::vector<bool> is_looked_at(kinds_.size());
  for (const Event& event : timeline.events) {
    if (!is_device_call(event.category) || is_looked_at[event.name]) {
      continue;
    }
    is_looked_at[event.name] = true;
    kinds_[event.name] = call_kind_of(timeline.name(event));
    is_async_copy_[event.name] = is_async_copy(timeline.name(event));
  }
  blocking_copy_limit_ns_ = find_limit_ns();
}

CallKind CallKinds::operator()(std::uint32_t event) const {
  const Event& call = timeline_.events[event];
  if (!is_device_call(call.category)) {
    return CallKind::rest;
  }
  const bool has_waited = is_async_copy_[call.name] &&
                          (call.duration_ns > blocking_copy_limit_ns_ || is_pageable(event));
  return has_waited ? CallKind::blocking : kinds_[call.name];
}

std::int64_t CallKinds::find_limit_ns() const {
  std::vector<std::int64_t> small;
  small.reserve(64);
  for (std::size_t i = 0; i < timeline_.events.size(); ++i) {
    const Event& call = timeline_.events[i];
    if (!is_device_call(call.category) || !is_async_copy_[call.name]) {
      continue;
    }
    const std::uint32_t work = launches_.first_work_of[i];
    const CopyDetail* const copy = work == kNone ? nullptr : timeline_.copy(timeline_.events[work]);
    if (copy != nullptr && copy->bytes >= 0 && copy->bytes <= kSmallCopyBytes) {
      small.push_back(call.duration_ns);
    }
  }
  if (small.empty()) {
    return kLeastBlockingNs;
  }
  const auto middle = small.begin() + static_cast<std::ptrdiff_t>(small.size() / 2);
  std::nth_element(small.begin(), middle, small.end());
  return std::max(kLeastBlockingNs, kTimesMedian * *middle);
}

bool CallKinds::is_pageable(std::uint32_t call) const {
  const std::uint32_t work = launches_.first_work_of[call];
  return work != kNone && timeline_.events[work].category == Category::memcpy &&
         timeline_.name(timeline_.events[work]).find("Pageable") != std::string_view::npos;
}

}  // namespace tune::profile
