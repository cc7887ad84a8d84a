#pragma once

#include "trace/reader/byte_source.h"

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

/// Finds the end of one JSON object or array without parsing it: it only follows texts and
/// brackets. It can stop anywhere and continue when more of the text has been read.
class ValueScanner {
 public:
  /// Deeper nesting is refused; what profilers write is four deep.
  static constexpr int kDeepest = 64;

  enum class Outcome {
    more,     ///< the text ended inside of the value
    done,     ///< the value ends at `at`
    strange,  ///< a text is followed by what follows no text: there is a quote too many in it
    too_deep
  };

  /// Goes on at `at`, which must be the value's first bracket the first time. Moves `at` to where
  /// it stopped.
  Outcome scan(const char*& at, const char* end);

 private:
  const char* skip_text(const char* at, const char* end);
  Outcome bracket(char c);

  int depth_ = 0;
  bool in_text_ = false;
  bool is_escaped_ = false;  ///< the text before ended with a backslash
  bool after_text_ = false;  ///< a text has just ended
};

}  // namespace tune::profile
