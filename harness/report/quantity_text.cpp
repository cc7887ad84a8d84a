#include "report/quantity_text.h"

#include "base/units.h"
#include "report/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tune::report {

namespace {

constexpr double kMost = 9e18;  // of what is written as a whole number

std::string with_prefix(double value, const std::string& unit) {
  constexpr std::array<std::pair<double, const char*>, 4> kPrefixes = {
      {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
  for (const auto& [factor, prefix] : kPrefixes) {
    if (value >= factor) {
      std::string text = number_text(value / factor);
      text += prefix;
      return text += unit;
    }
  }
  return number_text(value) + " " + unit;
}

std::string per_second_text(double value) {
  constexpr double kLong = 1e4;
  return value < kLong ? number_text(value) + "/s" : with_prefix(value, "/s");
}

std::string seconds_text(double value) {
  constexpr double kMicro = 1e-6, kMilli = 1e-3, kNano = 1e-9;
  return value < kMilli ? number_text(value / kMicro) + "us"
                        : format_time(std::llround(std::min(value / kNano, kMost)));
}

}  // namespace

std::string quantity_text(double value, const std::string& unit) {
  constexpr double kMega = 1e6;
  if (!std::isfinite(value)) {
    return "not measured";
  }
  if (unit == "ratio") {
    return share_text(value);
  }
  if (unit == "B" || unit == "B/s") {
    const std::string bytes =
        format_bytes(static_cast<std::int64_t>(std::clamp(value, 0.0, kMost)));
    return unit == "B" ? bytes : bytes + "/s";
  }
  if (unit == "Hz") {
    return number_text(value / kMega) + " MHz";
  }
  if (unit == "CPUs" || unit == "count" || unit == "price") {
    return number_text(value);
  }
  if (unit == "s") {
    return seconds_text(std::max(0.0, value));
  }
  if (unit == "1/s") {
    return per_second_text(value);
  }
  if (unit == "J" && value > 0 && value < 1) {  // of a sample
    constexpr double kMilli = 1e-3;
    return number_text(value / kMilli) + " mJ";
  }
  const bool has_prefix = unit.starts_with("us/");
  return has_prefix ? number_text(value) + " " + unit : with_prefix(value, unit);
}

}  // namespace tune::report
