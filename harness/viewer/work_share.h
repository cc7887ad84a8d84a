#pragma once

#include <cstdint>

namespace tune::viewer {

/// Keeps work that is done again and again below a share of the time: after some of it comes a rest
/// that is as much longer as the share is small.
class WorkShare {
 public:
  /// `most` is above 0 and at most 1.
  explicit WorkShare(double most) : most_(most) {}

  /// Times of one clock, ns. The first time always.
  bool may_begin(std::int64_t now_ns) const { return now_ns >= rest_until_ns_; }

  void took(std::int64_t begin_ns, std::int64_t end_ns) {
    const auto work_ns = static_cast<double>(end_ns - begin_ns);
    rest_until_ns_ = end_ns + static_cast<std::int64_t>(work_ns * (1 / most_ - 1));
  }

 private:
  double most_;
  std::int64_t rest_until_ns_ = INT64_MIN;
};

}  // namespace tune::viewer
