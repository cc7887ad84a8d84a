#pragma once

#include "telemetry/series.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tune::telemetry {

/// Readings of many series over time, in bounded memory: when it is full, two neighbouring readings
/// become one. A count loses nothing by that, a level becomes the mean of both.
class Trail {
 public:
  static constexpr std::size_t kMostSamples = 2048;

  explicit Trail(std::vector<SeriesInfo> series, std::size_t most_samples = kMostSamples);

  /// One number for each series. A reading that is not later than the last one is dropped: no rate
  /// can come from it.
  void add(std::int64_t now_ns, std::span<const double> values);

  const std::vector<SeriesInfo>& series() const { return series_; }
  std::size_t samples() const { return times_ns_.size(); }
  std::int64_t time_ns(std::size_t sample) const { return times_ns_[sample]; }
  double value(std::size_t sample, std::size_t series) const {
    return values_[sample * series_.size() + series];
  }

 private:
  void thin();

  std::vector<SeriesInfo> series_;
  std::size_t most_samples_;
  std::vector<std::int64_t> times_ns_;
  std::vector<double> values_;  // samples x series
};

}  // namespace tune::telemetry
