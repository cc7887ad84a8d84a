#pragma once

#include <cstdint>

namespace tune::profile {

/// Finds the end of one JSON object or array without understanding it: it only follows texts and
/// brackets. It can stop anywhere and go on when more of the text is there.
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
