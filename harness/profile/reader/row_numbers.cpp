#include "profile/reader/row_numbers.h"

#include "profile/decimal_time.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tune::profile {

std::int64_t RowNumbers::integer(std::string_view piece, std::int64_t unknown) {
  if (piece.empty()) {
    return unknown;
  }
  std::int64_t value = 0;
  const bool is_hexadecimal = piece.starts_with("0x") || piece.starts_with("0X");
  const char* const begin = piece.data() + (is_hexadecimal ? 2 : 0);
  const char* const end = piece.data() + piece.size();
  const auto [stopped, error] = std::from_chars(begin, end, value, is_hexadecimal ? 16 : 10);
  if (error == std::errc() && stopped == end) {
    return value;
  }
  const DecimalTime decimal = to_integer(piece);  // 1.0e3, 12.0
  if (!decimal.error) {
    return decimal.ns;
  }
  const bool is_large =
      error == std::errc::result_out_of_range || decimal.error == DecimalError::out_of_range;
  notes.add(is_large ? NoteKind::beyond_int64 : NoteKind::not_a_number, offset);
  return unknown;
}

double RowNumbers::ratio(std::string_view piece) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  if (piece.empty()) {
    return unknown;
  }
  double value = 0;
  const char* const end = piece.data() + piece.size();
  const auto [stopped, error] = std::from_chars(piece.data(), end, value);
  if (error == std::errc() && stopped == end && std::isfinite(value)) {
    return value;
  }
  notes.add(NoteKind::not_a_number, offset);
  return unknown;
}

std::array<std::int32_t, 3> RowNumbers::triple(std::string_view piece) {
  std::array<std::int32_t, 3> values = {-1, -1, -1};
  const char* at = piece.data();
  const char* const end = at + piece.size();
  for (std::int32_t& value : values) {
    at = std::find_if(at, end, [](char c) { return c >= '0' && c <= '9'; });
    at = std::from_chars(at, end, value).ptr;
  }
  return values;
}

}  // namespace tune::profile
