#pragma once

#include "base/stats/number.h"

#include <optional>
#include <string>

namespace tune::report {

// Numbers as people read them; ASCII, so that a terminal can pad them. "-" is never a zero: what is
// not known is "not measured".

/// 58.3, 7.25, 1234: at most four digits and two places.
std::string number_text(std::optional<double> value);

/// A value of a metric with its unit; a count of calls needs no word.
std::string metric_text(double value, const std::string& unit);

/// The same of a metric of a trace: "42.3 %", "1.2 GiB/s", "96.7ms".
std::string value_text(double value, const std::string& unit);

/// A relative gain: +84.3 %, -0.4 %, +0.0 %.
std::string gain_text(std::optional<double> gain);

/// Its interval spans more than a factor of two, above 0: the pairs show that there is a gain, not
/// how large it is. That is our own cut: their median is then a number that no pair may show.
bool has_vague_size(const stats::Number& gain);

/// A gain that fresh pairs confirmed: "+84.3 %"; of a vague size "at least" the lower end.
std::string sure_gain_text(const stats::Number& gain);

/// A predicted gain: "+5.3 to +16.9 %", "+5.3 %" where both read the same, "up to +8.9 %" from
/// nothing, "at least +37.0 %" where the rate at the upper end is more than twice that at the lower
/// (has_vague_size): such an upper end promises what nobody can plan with.
std::string range_text(double lower, double upper);
/// The same of a number whose value is known.
std::string range_text(const stats::Number& predicted);

/// [+82.1, +86.0] %, or "no interval (n = 1)".
std::string gain_interval_text(const stats::Number& gain);

/// [57.9, 58.8], or "no interval (n = 1)".
std::string interval_text(const stats::Number& number);

/// A part of a whole, 0-1: 42.3 %.
std::string share_text(double ratio);

/// 96.9 %: what an interval covers.
std::string confidence_text(double confidence);

/// 1 pair, 2 pairs.
std::string counted(std::int64_t count, const std::string& singular);

/// 1234567 -> "1,234,567".
std::string grouped(std::int64_t count);

/// The value; nothing where it is nan or infinite.
std::optional<double> finite(std::optional<double> value);

/// Value, and bounds where there are any, are numbers.
bool is_finite(const stats::Number& number);

}  // namespace tune::report
