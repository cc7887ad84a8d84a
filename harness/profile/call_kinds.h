#pragma once

#include "profile/launches.h"
#include "profile/runtime_call.h"
#include "profile/timeline.h"

#include <cstdint>
#include <vector>

namespace tune::profile {

/// What each call of a trace into a device's library was for: by its name, and of copies by how
/// long they took.
class CallKinds {
 public:
  CallKinds() = default;
  CallKinds(const Timeline& timeline, const Launches& launches);

  /// Of the event with that index; `rest` when it is no call. A copy that is asynchronous by its
  /// name is `blocking` when it took longer than blocking_copy_limit_ns() or moved pageable memory.
  CallKind operator()(std::uint32_t event) const { return kinds_[event]; }

  /// 3 x the median call of those that move at most 64 KiB, from 20 to 100 us: where most of them
  /// wait, their median is a wait too. Ours.
  std::int64_t blocking_copy_limit_ns() const { return blocking_copy_limit_ns_; }

 private:
  std::vector<CallKind> kinds_;  ///< by event
  std::int64_t blocking_copy_limit_ns_ = 0;
};

}  // namespace tune::profile
