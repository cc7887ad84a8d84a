#include "report/number_text.h"

#include "base/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace tune::report {

namespace {

std::string fixed(double value, int places) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", places, value);
  return text.data();
}

// Percent with one place and a sign; a rounded zero is positive.
std::string signed_percent(double ratio) {
  const double percent = std::round(ratio * 1000) / 10;
  return (percent < 0 ? "-" : "+") + fixed(std::fabs(percent), 1);
}

// The nearest whole number that fits: sums over a broken trace may not.
std::int64_t whole(double value) {
  constexpr double kMost = 9e18;
  return std::llround(std::clamp(value, -kMost, kMost));
}

std::string no_interval(std::int64_t n) {
  return "no interval (n = " + std::to_string(n) + ")";
}

bool has_interval(const stats::Number& number) {
  return number.lower && number.upper && is_finite(number);
}

}  // namespace

std::string number_text(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) {
    return "not measured";
  }
  const double size = std::fabs(*value);
  return size >= 1e15 ? "more than 1e15" : fixed(*value, size < 9.995 ? 2 : size < 999.95 ? 1 : 0);
}

std::string metric_text(double value, const std::string& unit) {
  if (unit == "B") {
    return format_bytes(std::llround(value));
  }
  if (unit == "s") {
    return format_seconds(value);
  }
  if (unit == "calls") {
    return std::to_string(std::llround(value));
  }
  return number_text(value) + " " + unit;
}

std::string value_text(double value, const std::string& unit) {
  constexpr double kNsPerSecond = 1e9;
  if (unit == "ratio") {
    return share_text(value);
  }
  if (unit == "s") {
    return format_time(whole(value * kNsPerSecond));
  }
  if (unit == "B" || unit == "B/s") {
    const std::string sign = value < 0 ? "-" : "";
    return sign + format_bytes(whole(std::abs(value))) + (unit == "B/s" ? "/s" : "");
  }
  return number_text(value);
}

std::string gain_text(std::optional<double> gain) {
  return gain && std::isfinite(*gain) ? signed_percent(*gain) + " %" : "not measured";
}

bool has_vague_size(const stats::Number& gain) {
  constexpr double kMostFactor = 2;
  return has_interval(gain) && *gain.lower > 0 &&
         (1 + *gain.upper) > kMostFactor * (1 + *gain.lower);
}

std::string sure_gain_text(const stats::Number& gain) {
  return has_vague_size(gain) ? "at least " + gain_text(gain.lower) : gain_text(gain.value);
}

std::string range_text(double lower, double upper) {
  std::string text = gain_text(lower);
  const std::string end = gain_text(upper);
  if (text == end) {
    return text;
  }
  if (upper > 0 && text == gain_text(0)) {
    return "up to " + end;
  }
  if (has_vague_size({.value = lower, .lower = lower, .upper = upper})) {
    return "at least " + text;
  }
  if (text.ends_with(" %")) {
    text.resize(text.size() - 2);
  }
  return text + " to " + end;
}

std::string range_text(const stats::Number& predicted) {
  return range_text(predicted.lower.value_or(*predicted.value),
                    predicted.upper.value_or(*predicted.value));
}

std::string gain_interval_text(const stats::Number& gain) {
  return has_interval(gain)
             ? "[" + signed_percent(*gain.lower) + ", " + signed_percent(*gain.upper) + "] %"
             : no_interval(gain.n);
}

std::string interval_text(const stats::Number& number) {
  return has_interval(number)
             ? "[" + number_text(*number.lower) + ", " + number_text(*number.upper) + "]"
             : no_interval(number.n);
}

std::string share_text(double ratio) {
  return std::isfinite(ratio) ? fixed(ratio * 100, 1) + " %" : "not measured";
}

std::string confidence_text(double confidence) {
  // Rounded down: an interval never covers less than what is printed.
  return fixed(std::floor(confidence * 1000 + 1e-9) / 10, 1) + " %";
}

std::string counted(std::int64_t count, const std::string& singular) {
  return std::to_string(count) + " " + singular + (count == 1 ? "" : "s");
}

std::string grouped(std::int64_t count) {
  std::string text = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool is_finite(const stats::Number& number) {
  return std::isfinite(number.value.value_or(0)) && std::isfinite(number.lower.value_or(0)) &&
         std::isfinite(number.upper.value_or(0));
}

}  // namespace tune::report
