#pragma once

#include "base/stats/number.h"
#include "report/markup.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// What one pair said of a metric.
struct PairChange {
  std::int64_t pair = 0;  ///< from 1, in the order run
  double change = 0;      ///< candidate / baseline - 1
  bool baseline_first = true;
};

/// The pairs of one metric and what was judged of them; all ratios are candidate / baseline - 1.
struct PairPlot {
  std::string id;      ///< unique in the page
  std::string metric;  ///< as people read it
  std::vector<PairChange> pairs;
  stats::Number change;
  std::int64_t judged = 0;          ///< `change` is of so many pairs
  std::optional<double> budget;     ///< how far the candidate may go; below 0 where less is worse
  std::vector<std::int64_t> looks;  ///< after so many pairs
};

constexpr std::size_t kMostPairsDrawn = 500;

/// The difference of each pair in the order run: a circle where the baseline went first, a diamond
/// where the candidate did; the interval as a band over the pairs that it is of, the budget as a
/// dashed line, the looks as upright ones. Nothing without a pair whose difference can be drawn;
/// the first kMostPairsDrawn.
std::optional<Markup> gate_pair_plot(const PairPlot& plot);

}  // namespace tune::report
