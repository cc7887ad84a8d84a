#include "base/expression/value.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace tune::expression {

namespace {

std::string dimension_noun(const Dimension& dimension) {
  struct Named {
    Dimension dimension;
    const char* noun;
  };
  static const std::array<Named, 6> kNamed = {{{{}, "number"},
                                               {{.time = 1}, "time"},
                                               {{.bytes = 1}, "bytes"},
                                               {{.time = -1}, "frequency"},
                                               {{.temperature = 1}, "temperature"},
                                               {{.time = -1, .bytes = 1}, "bytes/s"}}};
  for (const Named& named : kNamed) {
    if (named.dimension == dimension) {
      return named.noun;
    }
  }
  std::string noun;
  const auto add = [&](const char* unit, int exponent) {
    if (exponent != 0) {
      noun += (noun.empty() ? "" : "·") + std::string(unit) +
              (exponent == 1 ? "" : "^" + std::to_string(exponent));
    }
  };
  add("bytes", dimension.bytes);
  add("s", dimension.time);
  add("degC", dimension.temperature);
  return noun;
}

std::string unit_of(const Dimension& dimension) {
  if (dimension == Dimension{}) {
    return "";
  }
  if (dimension == Dimension{.time = 1}) {
    return " s";
  }
  if (dimension == Dimension{.bytes = 1}) {
    return " B";
  }
  if (dimension == Dimension{.time = -1}) {
    return " Hz";
  }
  if (dimension == Dimension{.temperature = 1}) {
    return " degC";
  }
  return dimension == Dimension{.time = -1, .bytes = 1} ? " B/s" : " " + dimension_noun(dimension);
}

std::string noun_of(Type::Kind kind, const Dimension& dimension) {
  switch (kind) {
    case Type::Kind::boolean:
      return "true or false";
    case Type::Kind::number:
      return dimension_noun(dimension);
    case Type::Kind::text:
      return "text";
    case Type::Kind::list:
      return "list";
  }
  return "";
}

}  // namespace

bool Type::same_as(const Type& other) const {
  return kind == other.kind && dimension == other.dimension && element == other.element;
}

Type type_of(const Value& value) {
  if (std::holds_alternative<bool>(value.data)) {
    return {.kind = Type::Kind::boolean};
  }
  if (const auto* const number = std::get_if<Number>(&value.data)) {
    return {.kind = Type::Kind::number, .dimension = number->dimension};
  }
  if (std::holds_alternative<std::string>(value.data)) {
    return {.kind = Type::Kind::text};
  }
  const auto& list = std::get<Value::List>(value.data);
  Type type{.kind = Type::Kind::list};
  if (!list.empty()) {
    const Type first = type_of(list.front());
    type.dimension = first.dimension;
    type.element = {first.kind};
  }
  return type;
}

std::string to_text(const Type& type) {
  if (type.kind != Type::Kind::list) {
    return noun_of(type.kind, type.dimension);
  }
  return type.element.empty() ? "an empty list"
                              : "a list of " + noun_of(type.element.front(), type.dimension);
}

std::string to_text(const Value& value) {
  if (const auto* const flag = std::get_if<bool>(&value.data)) {
    return *flag ? "true" : "false";
  }
  if (const auto* const number = std::get_if<Number>(&value.data)) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", number->value);
    return text.data() + unit_of(number->dimension);
  }
  if (const auto* const text = std::get_if<std::string>(&value.data)) {
    return "'" + *text + "'";
  }
  std::string text = "[";
  for (const Value& element : std::get<Value::List>(value.data)) {
    text += (text.size() == 1 ? "" : ", ") + to_text(element);
  }
  return text + "]";
}

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

// In the largest unit in which it is at least 1.
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
