#include "report/number_text.h"

#include "base/units.h"

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

std::string no_interval(const campaign::Estimate& estimate) {
  return "no interval (n = " + std::to_string(estimate.n) + ")";
}

}  // namespace

std::string number_text(double value) {
  if (!std::isfinite(value)) {
    return "not measured";
  }
  const double size = std::fabs(value);
  return size >= 1e15 ? "more than 1e15" : fixed(value, size < 9.995 ? 2 : size < 999.95 ? 1 : 0);
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

std::string gain_text(double gain) {
  return std::isfinite(gain) ? signed_percent(gain) + " %" : "not measured";
}

std::string gain_interval_text(const campaign::Estimate& gain) {
  if (!gain.lower || !gain.upper || !is_finite(gain)) {
    return no_interval(gain);
  }
  return "[" + signed_percent(*gain.lower) + ", " + signed_percent(*gain.upper) + "] %";
}

std::string interval_text(const campaign::Estimate& estimate) {
  if (!estimate.lower || !estimate.upper || !is_finite(estimate)) {
    return no_interval(estimate);
  }
  return "[" + number_text(*estimate.lower) + ", " + number_text(*estimate.upper) + "]";
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

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

bool is_finite(const campaign::Estimate& estimate) {
  return std::isfinite(estimate.value) && std::isfinite(estimate.lower.value_or(0)) &&
         std::isfinite(estimate.upper.value_or(0));
}

}  // namespace tune::report
