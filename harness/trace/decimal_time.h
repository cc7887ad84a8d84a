#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tune::profile {

/// What a number in the text of a trace can be.
enum class DecimalError {
  not_a_number,  ///< nan, inf, N/A, "", two points, ...
  out_of_range   ///< a number, but not in int64
};

struct DecimalTime {
  std::int64_t ns = 0;
  std::optional<DecimalError> error;
};

/// Microseconds as decimal text to ns, exactly: "1500.0005" is 1'500'001 (halves away from zero).
/// Never through a double, which keeps only a quarter of a microsecond of today's absolute times.
/// Takes a sign, any number of places and an exponent: "1.694039968955744e15".
DecimalTime microseconds_to_ns(std::string_view text);

/// The same for a plain decimal number without a unit, rounded to a whole one: "1024", "1.0e3".
DecimalTime to_integer(std::string_view text);

}  // namespace tune::profile
