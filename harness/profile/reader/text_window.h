#pragma once

#include "profile/reader/byte_source.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tune::profile {

/// A part of the JSON text that moves forward: never more of it is held than what is not consumed
/// yet. Behind the end there are always kPadding readable bytes, as simdjson wants them.
class TextWindow {
 public:
  static constexpr std::size_t kPadding = 64;  // SIMDJSON_PADDING; asserted where simdjson is seen

  explicit TextWindow(ByteSource& source);

  const char* begin() const { return text_.data() + begin_; }
  const char* end() const { return text_.data() + end_; }
  std::size_t size() const { return end_ - begin_; }
  /// Byte of the JSON text that begin() is.
  std::int64_t offset() const { return offset_; }
  std::int64_t offset_of(const char* at) const { return offset_ + (at - begin()); }

  /// Reads more behind end(); false when there is no more. Pointers become invalid.
  bool fill();
  /// Text before `at` is not needed any more.
  void consume_until(const char* at);

 private:
  ByteSource& source_;
  std::vector<char> text_;
  std::size_t begin_ = 0, end_ = 0;
  std::int64_t offset_ = 0;
};

}  // namespace tune::profile
