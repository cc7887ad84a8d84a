#include "trace/intervals.h"

#include <algorithm>
#include <iterator>

namespace tune::profile {

namespace {

bool begins_first(const Interval& a, const Interval& b) {
  return a.begin_ns < b.begin_ns;
}

// The first interval from `at` on that ends after `ns`. It is mostly near; a far one is searched by
// doubling steps, so that a small set costs little against a large one.
Intervals::const_iterator first_after(Intervals::const_iterator at,
                                      Intervals::const_iterator end,
                                      std::int64_t ns) {
  std::ptrdiff_t stride = 1;
  while (stride <= end - at && at[stride - 1].end_ns <= ns) {
    at += stride;
    stride *= 2;
  }
  return std::partition_point(at, at + std::min(stride, end - at), [ns](const Interval& interval) {
    return interval.end_ns <= ns;
  });
}

}  // namespace

Intervals unite(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.end_ns <= i.begin_ns; });
  if (!std::is_sorted(intervals.begin(), intervals.end(), begins_first)) {
    std::sort(intervals.begin(), intervals.end(), begins_first);
  }
  std::size_t kept = 0;
  for (const Interval& next : intervals) {
    if (kept > 0 && next.begin_ns <= intervals[kept - 1].end_ns) {
      intervals[kept - 1].end_ns = std::max(intervals[kept - 1].end_ns, next.end_ns);
    } else {
      intervals[kept++] = next;
    }
  }
  intervals.resize(kept);
  return intervals;
}

Intervals intersect(const Intervals& a, const Intervals& b) {
  Intervals both;
  if (a.empty() || b.empty()) {
    return both;
  }
  auto i = first_after(a.begin(), a.end(), b.front().begin_ns);
  auto j = first_after(b.begin(), b.end(), a.front().begin_ns);
  while (i != a.end() && j != b.end()) {
    const Interval common{std::max(i->begin_ns, j->begin_ns), std::min(i->end_ns, j->end_ns)};
    if (common.begin_ns < common.end_ns) {
      both.push_back(common);
    }
    if (i->end_ns < j->end_ns) {
      i = first_after(std::next(i), a.end(), j->begin_ns);
    } else {
      j = first_after(std::next(j), b.end(), i->begin_ns);
    }
  }
  return both;
}

Intervals subtract(const Intervals& a, const Intervals& b) {
  Intervals rest;
  rest.reserve(a.size());
  auto hole = b.begin();
  for (const Interval& whole : a) {
    std::int64_t begin_ns = whole.begin_ns;
    while (hole != b.end() && hole->end_ns <= begin_ns) {
      ++hole;
    }
    for (auto next = hole; next != b.end() && next->begin_ns < whole.end_ns; ++next) {
      if (begin_ns < next->begin_ns) {
        rest.push_back({begin_ns, next->begin_ns});
      }
      begin_ns = std::max(begin_ns, next->end_ns);
      hole = next;  // it may reach into the next interval of `a`
    }
    if (begin_ns < whole.end_ns) {
      rest.push_back({begin_ns, whole.end_ns});
    }
  }
  return rest;
}

Intervals unite(const Intervals& a, const Intervals& b) {
  std::vector<Interval> all;
  all.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all), begins_first);
  return unite(std::move(all));
}

std::int64_t length_ns(const Intervals& set) {
  std::int64_t length_ns = 0;
  for (const Interval& interval : set) {
    length_ns += interval.length_ns();
  }
  return length_ns;
}

std::vector<std::int64_t> lengths_within(const Intervals& set, const std::vector<Interval>& parts) {
  std::vector<std::int64_t> lengths(parts.size(), 0);
  auto first = set.begin();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    while (first != set.end() && first->end_ns <= parts[i].begin_ns) {
      ++first;
    }
    for (auto at = first; at != set.end() && at->begin_ns < parts[i].end_ns; ++at) {
      lengths[i] +=
          std::min(at->end_ns, parts[i].end_ns) - std::max(at->begin_ns, parts[i].begin_ns);
    }
  }
  return lengths;
}

}  // namespace tune::profile
