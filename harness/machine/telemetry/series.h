#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tune::telemetry {

enum class Kind {
  level,  ///< the current amount
  count   ///< a running total; reported as its growth per second
};

/// The subject of a series.
struct SeriesInfo {
  std::string id;     ///< of the metric: "io_wait_ratio"; the suffix names the unit
  std::string label;  ///< "cpu3", "GPU-8a6b..."; "": the worker, or the machine as a whole
  std::string unit;   ///< "ratio" (0-1), "B", "B/s", "1/s", "CPUs", "Hz", "degC", "W", "count"
  Kind kind = Kind::level;
  double factor = 1;   ///< from what is read to the unit
  std::string reason;  ///< why this machine has no such numbers; "" when it has
  bool operator==(const SeriesInfo&) const = default;
};

/// Reads some series of the machine at one moment.
class Source {
 public:
  virtual ~Source() = default;

  const std::vector<SeriesInfo>& series() const { return series_; }

  /// One number per series; nan for what cannot be read now. Called on one thread at a time.
  virtual void sample(std::int64_t now_ns, std::span<double> values) = 0;

 protected:
  std::vector<SeriesInfo> series_;
};

/// Readings of many series over time, in bounded memory: when it is full, neighbouring readings are
/// merged in pairs. A count loses nothing by that, a level becomes the mean of both.
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
