#pragma once

#include <string>
#include <variant>
#include <vector>

namespace tune::expression {

/// Exponents of a number's unit: bytes/s is {time -1, bytes 1}, a frequency {time -1}.
struct Dimension {
  int time = 0, bytes = 0, temperature = 0;
  bool operator==(const Dimension&) const = default;
};

/// In base units: seconds, bytes, hertz, degrees Celsius.
struct Number {
  double value = 0;
  Dimension dimension;
  bool operator==(const Number&) const = default;
};

/// The value of a name or an expression.
struct Value {
  using List = std::vector<Value>;
  std::variant<bool, Number, std::string, List> data;

  static Value of(bool flag) { return {flag}; }
  static Value of(double number, Dimension dimension = {}) { return {Number{number, dimension}}; }
  static Value of(std::string text) { return {std::move(text)}; }
  static Value of(const char* text) { return {std::string(text)}; }
  static Value of(List list) { return {std::move(list)}; }

  bool operator==(const Value&) const = default;
};

/// Why a value is unknown: "there is no GPU", "division by zero".
struct Unknown {
  std::string reason;
  bool operator==(const Unknown&) const = default;
};

using Result = std::variant<Value, Unknown>;

/// What is known about a value before the value itself.
struct Type {
  enum class Kind { boolean, number, text, list };

  Kind kind = Kind::boolean;
  Dimension dimension;               ///< of a number, or of a list's numbers
  std::vector<Kind> element;         ///< of a list: its elements' kind; empty for an empty list
  std::vector<std::string> choices;  ///< of a text that can only be one of these; empty: any

  /// Choices aside.
  bool same_as(const Type& other) const;
};

Type type_of(const Value& value);

/// "true or false", "a number", "a time", "text", "a list of text": for complaints.
std::string to_text(const Type& type);

/// As an expression writes it: true, 0.5, 3 s, 'bf16', ['a', 'b'].
std::string to_text(const Value& value);

/// For people: four digits, and the unit that fits: 4.2 ms, 9.6 MB, 16 GB/s, 914 /s, 0.31. Long
/// lists and texts are cut.
std::string to_readable_text(const Value& value);

}  // namespace tune::expression
