#include "table/cell_text.h"

#include "base/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tune::table {

namespace {

std::string printed(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

double number_of(const Cell& cell) {
  const auto* const whole = std::get_if<std::int64_t>(&cell);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
}

// The nearest whole number that fits.
std::int64_t whole_of(const Cell& cell) {
  constexpr double kMost = 9e18;
  const auto* const whole = std::get_if<std::int64_t>(&cell);
  return whole != nullptr ? *whole
                          : std::llround(std::clamp(std::get<double>(cell), -kMost, kMost));
}

std::string bytes_text(std::int64_t bytes) {
  return bytes < 0 ? "-" + format_bytes(-bytes) : format_bytes(bytes);
}

}  // namespace

std::string time_text(std::int64_t ns) {
  const std::int64_t size = std::abs(ns);
  const auto time = static_cast<double>(ns);
  return size >= 1'000'000'000 ? printed("%.3fs", time * 1e-9)
         : size >= 1'000'000   ? printed("%.3fms", time * 1e-6)
                               : printed("%.3fus", time * 1e-3);
}

std::string cell_text(const Cell& cell, Quantity quantity) {
  if (std::holds_alternative<std::monostate>(cell)) {
    return "-";
  }
  if (const auto* const text = std::get_if<std::string>(&cell)) {
    return *text;
  }
  const double value = number_of(cell);
  switch (quantity) {
    case Quantity::time_ns:
      return time_text(whole_of(cell));
    case Quantity::time_change_ns:
      return (value > 0 ? "+" : "") + time_text(whole_of(cell));
    case Quantity::bytes:
      return bytes_text(whole_of(cell));
    case Quantity::ratio:
      return printed("%.2f %%", value * 100);
    case Quantity::bytes_per_second:
      return printed("%.3g GB/s", value * 1e-9);
    case Quantity::number:
      return printed("%.4g", value);
    case Quantity::count:
    case Quantity::text:
      break;
  }
  return std::to_string(whole_of(cell));
}

}  // namespace tune::table
