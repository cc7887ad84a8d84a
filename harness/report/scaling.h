#pragma once

#include "report/markup.h"
#include "result/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

/// One value of an ordered knob.
struct ScalingPoint {
  std::int64_t value = 0;
  const result::Cell* cell = nullptr;
  result::Number rate;               ///< samples/s; has a value
  std::optional<double> efficiency;  ///< rate per worker, over that of the fewest workers; 1 is
                                     ///< ideal. Nothing for knobs that add no workers
};

/// The settings that differ from one of them in an ordered knob alone.
struct ScalingAxis {
  std::string knob;
  const result::Cell* centre = nullptr;  ///< the others are as here
  std::vector<ScalingPoint> points;      ///< by value, at least three
  std::size_t best = 0;                  ///< of the points: the fastest
  /// The smallest value that cannot be told from the best: its interval reaches that of the best;
  /// where one has no interval, within 1 %.
  std::size_t knee = 0;
};

/// Every ordered knob (a whole number in the catalogue, but for the niceness) with at least three
/// measured values around the best setting, else around the baseline: batch_size and num_workers
/// first, then by name. Refers to the result.
std::vector<ScalingAxis> scaling_axes(const result::Result& result);

/// "num_workers: 2 is enough: 4 gives +0.3 % more, within its interval" as a whole sentence.
std::string knee_sentence(const ScalingAxis& axis);

/// Throughput along an ordered knob: a line over the band of its intervals, the knee marked, and,
/// where the knob adds workers, dashed what they would do if each did as much as the first. Values
/// are at equal distances. `id` is unique in the page.
Markup scaling_plot(const ScalingAxis& axis, const std::string& id);

}  // namespace tune::report
