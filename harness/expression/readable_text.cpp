#include "expression/readable_text.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace tune::expression {

namespace {

struct Scale {
  double factor;
  const char* unit;
};

constexpr std::array<Scale, 4> kTimes = {{{1e-9, " ns"}, {1e-6, " us"}, {1e-3, " ms"}, {1, " s"}}};
constexpr std::array<Scale, 4> kSizes = {{{1, " B"}, {1e3, " KB"}, {1e6, " MB"}, {1e9, " GB"}}};
constexpr std::array<Scale, 4> kRates = {
    {{1, " B/s"}, {1e3, " KB/s"}, {1e6, " MB/s"}, {1e9, " GB/s"}}};

std::string four_digits(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", number);
  return text.data();
}

// In the largest unit that leaves at least 1.
std::string scaled(double number, const std::array<Scale, 4>& scales) {
  if (number == 0) {
    return std::string("0") + (scales[0].factor < 1 ? " s" : scales[0].unit);
  }
  const Scale* best = scales.data();
  for (const Scale& scale : scales) {
    if (std::fabs(number) >= scale.factor) {
      best = &scale;
    }
  }
  return four_digits(number / best->factor) + best->unit;
}

std::string readable(const Number& number) {
  if (number.dimension == Dimension{.time = 1}) {
    return scaled(number.value, kTimes);
  }
  if (number.dimension == Dimension{.bytes = 1}) {
    return scaled(number.value, kSizes);
  }
  if (number.dimension == Dimension{.time = -1, .bytes = 1}) {
    return scaled(number.value, kRates);
  }
  if (number.dimension == Dimension{.time = -1}) {
    return four_digits(number.value) + " /s";
  }
  if (number.dimension == Dimension{}) {
    return four_digits(number.value);
  }
  return to_text(Value{number});
}

}  // namespace

std::string to_readable_text(const Value& value) {
  constexpr std::size_t kMostElements = 8, kLongest = 120;
  std::string text;
  if (const auto* const number = std::get_if<Number>(&value.data)) {
    return readable(*number);
  }
  if (const auto* const list = std::get_if<Value::List>(&value.data)) {
    text = "[";
    for (std::size_t i = 0; i < list->size() && i < kMostElements; ++i) {
      text += (i == 0 ? "" : ", ") + to_readable_text((*list)[i]);
    }
    text += list->size() > kMostElements ? ", ...]" : "]";
  } else {
    text = to_text(value);
  }
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

}  // namespace tune::expression
