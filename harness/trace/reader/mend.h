#pragma once

#include "trace/timeline.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tune::profile {

/// What mend() made of the beginning of a text.
struct Mended {
  enum class Outcome {
    done,      ///< `json` is the value, `used` bytes of the text were it
    more,      ///< the text ends inside of the value
    hopeless,  ///< not to be read as JSON
    too_deep
  };
  Outcome outcome = Outcome::hopeless;
  std::size_t used = 0;
  std::string json;               ///< valid JSON
  std::vector<NoteKind> repairs;  ///< each kind once
};

/// Reads one object or array as leniently as it can be understood, and writes it as JSON: raw
/// control characters and quotes inside texts are escaped, bytes that are not UTF-8 become U+FFFD,
/// unknown escapes lose their meaning, and words that JSON does not know (nan, inf, N/A) become
/// null.
///
/// A quote ends a value only where JSON can continue after it: before a closing bracket, or before
/// a comma and the next key (in an array: the next value). Keys are the profiler's own and have no
/// quotes inside: where no colon follows one, nothing can be saved. `is_last` says that nothing
/// follows `text`.
Mended mend(std::string_view text, bool is_last);

/// Where an event seems to begin: { and a first key that events have. npos when there is none.
std::size_t find_event(std::string_view text);

}  // namespace tune::profile
