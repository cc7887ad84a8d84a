#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::probe {

/// One limit of this machine, or why it was not measured.
struct Number {
  std::string id;               ///< "memory_copy_rate"
  std::string label;            ///< what else tells it apart: "2 threads"; or ""
  std::string unit;             ///< "B/s", "FLOP/s", "s", "1/s", "us/KB", "us/kpx"
  std::optional<double> value;  ///< the median
  double noise = 0;    ///< half of the middle 50 % of the repetitions ÷ the median; of a fit the
                       ///< median error of its points
  std::int64_t n = 0;  ///< repetitions; of a fit its points
  std::string reason;  ///< why there is no value; "" when there is
  bool operator==(const Number&) const = default;
};

/// Median and noise of samples in the number's unit.
Number of_samples(Number number, const std::vector<double>& samples);

Number not_measured(Number number, const std::string& reason);

/// How long measuring may take in all, and how much of it.
struct Effort {
  bool is_quick = false;         ///< fewer repetitions of less work: noisier
  std::int64_t deadline_ns = 0;  ///< CLOCK_MONOTONIC; what would begin later is not measured
};

/// "the time for the probe was over" behind the deadline; "" before it.
std::string why_too_late(const Effort& effort);

}  // namespace tune::probe
