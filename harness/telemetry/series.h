#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tune::telemetry {

enum class Kind {
  level,  ///< how much there is now
  count   ///< what has been counted so far; told is how fast it grows, per second
};

/// What a series is of.
struct SeriesInfo {
  std::string id;     ///< of the metric: "io_wait_ratio"; the suffix names the unit
  std::string label;  ///< "cpu3", "GPU-8a6b..."; "": the worker, or the machine as a whole
  std::string unit;   ///< "ratio" (0-1), "B", "B/s", "1/s", "CPUs", "Hz", "degC", "W", "count"
  Kind kind = Kind::level;
  double factor = 1;   ///< from what is read to the unit
  std::string reason;  ///< why this machine has no such numbers; "" when it has
  bool operator==(const SeriesInfo&) const = default;
};

/// Reads some series of the machine, all at one moment.
class Source {
 public:
  virtual ~Source() = default;

  const std::vector<SeriesInfo>& series() const { return series_; }

  /// As many numbers as there are series; nan for what cannot be read now. Called on one thread at
  /// a time.
  virtual void sample(std::int64_t now_ns, std::span<double> values) = 0;

 protected:
  std::vector<SeriesInfo> series_;
};

}  // namespace tune::telemetry
