#pragma once

#include <cstddef>
#include <vector>

namespace tune::stats {

/// The values with single spikes pulled in: each one is limited to m +- 4 s, where m is the median
/// and s = 1.4826 MAD + 1e-9 of the *unmodified* values up to ten places to either side (fewer at
/// the ends). One pass; the unit is kept.
///
/// Assumes that what lasts longer than ten values is a level and not a spike: levels and slopes are
/// kept. Source: the running median and MAD filter of Hampel.
std::vector<double> winsorize(const std::vector<double>& values);

/// A series cut into stretches of one level and one spread each.
struct Segmentation {
  std::vector<std::size_t> ends;  ///< one past the last value of each segment; the last is n
  double cost = 0;                ///< sum of the segments' costs + penalty * (segments - 1)
};

/// No segment is shorter, so that each has a meaningful variance.
inline constexpr std::size_t kShortestSegment = 5;

/// The cheapest of all segmentations (PELT: Killick, Fearnhead and Eckley 2012; exact).
///
/// A segment of L values with population variance s costs -2 ln of its normal likelihood at the
/// best mean and variance v, L (ln 2 pi + ln v + s / v), where v = max(s, 1e-10): so L (ln 2 pi +
/// ln s + 1) unless the values are equal to one part in 100,000. Each further segment costs
/// `penalty`. Assumes near-normal values that are independent within a segment; a spike is a
/// segment's variance, so winsorise first. Time O(n^2) where nothing changes, less otherwise.
///
/// Needs finite values, and at least kShortestSegment of them.
Segmentation segment_by_level(const std::vector<double>& values, double penalty);

/// The cost of the values [first, end) in segment_by_level(), in O(1) after O(n).
class SegmentCost {
 public:
  explicit SegmentCost(const std::vector<double>& values);
  double operator()(std::size_t first, std::size_t end) const;

 private:
  std::vector<double> sums_, squares_;  // of the values minus the first one, before each place
};

}  // namespace tune::stats
