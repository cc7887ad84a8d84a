#pragma once

#include "measure/history/series.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tune::history {

/// Runs next to each other that measured the same but for noise.
struct Level {
  std::size_t first = 0, end = 0;  ///< points [first, end)
  double value = 0;                ///< their median
};

/// Between two levels.
struct Change {
  std::size_t at = 0;  ///< the first point of the new level
  double before = 0, after = 0;
  /// What else differs between the last run before and the first one after: "LibTorch 2.10.0 ->
  /// 2.11.0"; empty where nothing that is recorded does.
  std::vector<std::string> causes;

  double ratio() const { return after / before - 1; }
};

struct Trend {
  std::vector<Level> levels;  ///< none without points; they follow each other
  std::vector<Change> changes;
};

/// The levels of a series: values winsorised, as logarithms, cut by PELT (base/stats/levels.h) with
/// 7 ln n a level; neighbours whose medians differ by at most the larger of 1 % and the noise
/// within them (robust deviation) are one. With fewer than ten points, or values that are not above
/// 0, one level.
///
/// Assumes near-normal logarithms but for single spikes. Simulated with normal noise, and with one
/// value in twelve far too low: a change is seen where there is none in at most 2.5 % of series of
/// 10 to 100 runs; a step of three standard deviations is found in 83 % of series of 20 runs, of
/// five in 31 % of series of ten.
Trend trend_of(const std::vector<Point>& points);

/// For a metric that an Entry holds; times and bytes are better when they are lower.
bool is_higher_better(std::string_view metric);

}  // namespace tune::history
