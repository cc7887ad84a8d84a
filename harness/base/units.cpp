#include "base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace tune {

namespace {

struct Quantity {
  double number = 0;
  std::string_view unit;
};

std::optional<Quantity> split(std::string_view text) {
  Quantity quantity;
  const auto* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, quantity.number);
  if (read.ec != std::errc() || !std::isfinite(quantity.number) || quantity.number < 0) {
    return std::nullopt;
  }
  quantity.unit = std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr));
  while (quantity.unit.starts_with(' ')) {
    quantity.unit.remove_prefix(1);
  }
  return quantity;
}

template <std::size_t N>
using Units = std::array<std::pair<std::string_view, double>, N>;

// In the smallest of the units.
template <std::size_t N>
std::optional<double> in_units(const Quantity& quantity, const Units<N>& units) {
  for (const auto& [name, factor] : units) {
    if (quantity.unit == name) {
      return quantity.number * factor;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> rounded(std::optional<double> value) {
  constexpr double kLargest = 9.2e18;  // below 2^63, so that the conversion is defined
  return value && *value < kLargest ? std::optional<std::int64_t>(std::llround(*value))
                                    : std::nullopt;
}

std::string print(const char* format, double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

std::optional<std::int64_t> parse_time_ns(std::string_view text) {
  static constexpr Units<7> kUnits = {
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"m", 60e9}, {"h", 3600e9}}};
  std::optional<double> total;
  while (!total || !text.empty()) {
    auto part = split(text);
    if (!part) {
      return std::nullopt;
    }
    const std::size_t end = std::min(part->unit.find_first_of(" 0123456789"), part->unit.size());
    text = part->unit.substr(end);
    part->unit = part->unit.substr(0, end);
    const auto ns = in_units(*part, kUnits);
    if (!ns || (total.value_or(0) > 0 && *ns >= *total)) {  // a minute comes before its seconds
      return std::nullopt;
    }
    total = total.value_or(0) + *ns;
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return rounded(total);
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  static constexpr Units<7> kUnits = {{{"B", 1},
                                       {"KB", 1e3},
                                       {"MB", 1e6},
                                       {"GB", 1e9},
                                       {"KiB", 1024.0},
                                       {"MiB", 1048576.0},
                                       {"GiB", 1073741824.0}}};
  const auto quantity = split(text);
  return quantity ? rounded(in_units(*quantity, kUnits)) : std::nullopt;
}

std::optional<double> parse_ratio(std::string_view text) {
  const auto quantity = split(text);
  if (!quantity || (!quantity->unit.empty() && quantity->unit != "%")) {
    return std::nullopt;
  }
  return quantity->unit.empty() ? quantity->number : quantity->number / 100;
}

std::string format_time(std::int64_t ns) {
  const double seconds = static_cast<double>(ns) * 1e-9;
  if (ns == 0) {
    return "0s";
  }
  if (seconds < 1e-3) {
    return print("%.3gus", seconds * 1e6);
  }
  if (seconds < 1) {
    return print("%.3gms", seconds * 1e3);
  }
  if (seconds < 59.95) {
    return print("%.3gs", seconds);
  }
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) {
    return std::to_string(whole / 60) + "m" + (whole % 60 < 10 ? "0" : "") +
           std::to_string(whole % 60) + "s";
  }
  const std::int64_t minutes = whole / 60 % 60;
  return std::to_string(whole / 3600) + "h" + (minutes < 10 ? "0" : "") + std::to_string(minutes) +
         "m";
}

std::string typed_time(std::int64_t ns) {
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  const std::int64_t seconds = ns / kSecondNs;
  return seconds % 60 == 0 ? std::to_string(seconds / 60) + "m" : std::to_string(seconds) + "s";
}

std::string format_seconds(double seconds) {
  return format_time(std::llround((seconds > 0 ? std::min(seconds, 1e9) : 0) * 1e9));
}

std::string format_bytes(std::int64_t bytes) {
  static constexpr std::array<std::pair<double, const char*>, 3> kUnits = {
      {{1073741824.0, "%.2f GiB"}, {1048576.0, "%.0f MiB"}, {1024.0, "%.0f KiB"}}};
  for (const auto& [size, format] : kUnits) {
    if (static_cast<double>(bytes) >= size) {
      return print(format, static_cast<double>(bytes) / size);
    }
  }
  return std::to_string(bytes) + " B";
}

}  // namespace tune
