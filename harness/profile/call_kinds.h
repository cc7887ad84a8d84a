#pragma once

#include "profile/launches.h"
#include "profile/runtime_call.h"
#include "profile/timeline.h"

#include <cstdint>
#include <vector>

namespace tune::profile {

/// What each call of a trace into a device's library was for: by its name, and of copies by how
/// long they took. Refers to the timeline and the launches.
class CallKinds {
 public:
  CallKinds(const Timeline& timeline, const Launches& launches);

  /// Of the event with that index; `rest` when it is no call. A copy that is asynchronous by its
  /// name is `blocking` when it took longer than blocking_copy_limit_ns() or moved pageable memory.
  CallKind operator()(std::uint32_t event) const;

  /// max(20 us, 3 x the median call of those that move at most 64 KiB). Ours.
  std::int64_t blocking_copy_limit_ns() const { return blocking_copy_limit_ns_; }

 private:
  std::int64_t find_limit_ns() const;
  bool is_pageable(std::uint32_t call) const;

  const Timeline& timeline_;
  const Launches& launches_;
  std::vector<CallKind> kinds_;  ///< by StringId: a name is looked at once
  std::vector<bool> is_async_copy_;
  std::int64_t blocking_copy_limit_ns_ = 0;
};

}  // namespace tune::profile
