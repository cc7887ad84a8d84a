#pragma once

#include "profile/event.h"
#include "profile/reader_notes.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace tune::profile {

/// Numbers in the pieces of a row. An empty piece is unknown; what is no number, or none that fits,
/// is unknown too and noted with the row's place.
struct RowNumbers {
  ReaderNotes& notes;
  std::int64_t offset = 0;

  /// Decimal, or hexadecimal with 0x as ROCm writes streams.
  std::int64_t integer(std::string_view piece, std::int64_t unknown);
  /// NaN when unknown.
  double ratio(std::string_view piece);
  /// [x, y, z]; -1 where unknown.
  std::array<std::int32_t, 3> triple(std::string_view piece);
};

}  // namespace tune::profile
