#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::stats {

/// A number with its interval, or why it is not known.
struct Number {
  std::optional<double> value;
  std::optional<double> lower, upper;  ///< both or none
  std::optional<double> confidence;    ///< what the interval covers, 0-1: 0.96875 for n = 6
  std::int64_t n = 0;                  ///< values, or pairs, behind it; 0: unknown
  std::string unit;                    ///< samples/s, s, ratio, B, ...
  std::string reason;                  ///< why something is missing, or what the value assumes
  bool is_whole = false;               ///< a result.json has the value as a whole number
  bool is_there = false;               ///< false: a result.json has null
};

/// Median and sign interval at 95 %, or the most that so few samples allow. Needs a sample.
Number number_of_samples(const std::vector<double>& samples);

/// The same on the log scale: from ln(candidate ÷ baseline) to the gain as ratio - 1.
Number gain_of_samples(const std::vector<double>& log_gains);

}  // namespace tune::stats
