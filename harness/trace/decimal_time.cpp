#include "trace/decimal_time.h"

#include <algorithm>
#include <limits>

namespace tune::profile {

namespace {

constexpr int kDigitsKept = 40;  // more than int64 ns can hold: the rest only decides zeros
constexpr int kLargestExponent = 10'000;  // beyond it every number is 0 or out of range

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The number as 0.d1d2d3... x 10^point, without leading zeros.
struct Decimal {
  char digits[kDigitsKept] = {};
  int count = 0;
  int point = 0;
  bool is_negative = false;
};

// Reads digits; `point` moves with those before the point, and back with leading zeros behind it.
std::size_t read_digits(std::string_view text, std::size_t at, bool behind_point, Decimal& number) {
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (number.count == 0 && text[at] == '0') {
      number.point -= behind_point && number.point > -kLargestExponent ? 1 : 0;
      continue;
    }
    if (number.count < kDigitsKept) {
      number.digits[number.count++] = text[at];
    }
    number.point += !behind_point && number.point < kLargestExponent ? 1 : 0;
  }
  return at;
}

std::optional<int> read_exponent(std::string_view text) {
  std::size_t at = 0;
  const bool is_negative = !text.empty() && text[0] == '-';
  at += !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (at == text.size()) {
    return std::nullopt;
  }
  int exponent = 0;
  for (; at < text.size(); ++at) {
    if (!is_digit(text[at])) {
      return std::nullopt;
    }
    exponent = std::min(exponent * 10 + (text[at] - '0'), kLargestExponent);
  }
  return is_negative ? -exponent : exponent;
}

std::optional<Decimal> read(std::string_view text) {
  Decimal number;
  std::size_t at = 0;
  number.is_negative = !text.empty() && text[0] == '-';
  at += !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t whole = at;
  at = read_digits(text, at, false, number);
  std::size_t digits = at - whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = ++at;
    at = read_digits(text, at, true, number);
    digits += at - fraction;
  }
  if (digits == 0) {
    return std::nullopt;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const auto exponent = read_exponent(text.substr(at + 1));
    if (!exponent) {
      return std::nullopt;
    }
    number.point += *exponent;
    at = text.size();
  }
  return at == text.size() ? std::optional(number) : std::nullopt;
}

DecimalTime scaled(std::string_view text, int places) {
  const auto number = read(text);
  if (!number) {
    return {.error = DecimalError::not_a_number};
  }
  const int whole = number->point + places;  // digits before the point of the result
  if (number->count == 0 || whole < 0) {
    return {};
  }
  if (whole > 19) {
    return {.error = DecimalError::out_of_range};
  }
  std::uint64_t value = 0;  // 19 digits fit
  for (int i = 0; i < whole; ++i) {
    value =
        value * 10 + static_cast<std::uint64_t>(i < number->count ? number->digits[i] - '0' : 0);
  }
  if (whole < number->count && number->digits[whole] >= '5') {
    ++value;
  }
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return {.error = DecimalError::out_of_range};
  }
  const auto signed_value = static_cast<std::int64_t>(value);
  return {.ns = number->is_negative ? -signed_value : signed_value};
}

}  // namespace

DecimalTime microseconds_to_ns(std::string_view text) {
  return scaled(text, 3);
}

DecimalTime to_integer(std::string_view text) {
  return scaled(text, 0);
}

}  // namespace tune::profile
