#pragma once

#include <cstdint>
#include <vector>

namespace tune::profile {

/// [begin, end) in ns.
struct Interval {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;

  std::int64_t length_ns() const { return end_ns - begin_ns; }
  bool operator==(const Interval&) const = default;
};

/// A set of points in time: intervals in order, none empty, none touching the next.
using Intervals = std::vector<Interval>;

/// The set that any intervals cover; those without length cover nothing.
Intervals unite(std::vector<Interval> intervals);

Intervals intersect(const Intervals& a, const Intervals& b);
/// What is in `a` and not in `b`.
Intervals subtract(const Intervals& a, const Intervals& b);
Intervals unite(const Intervals& a, const Intervals& b);

std::int64_t length_ns(const Intervals& set);

/// How much of each interval of `parts` the set covers. `parts` are in order and do not overlap;
/// they may touch.
std::vector<std::int64_t> lengths_within(const Intervals& set, const std::vector<Interval>& parts);

}  // namespace tune::profile
