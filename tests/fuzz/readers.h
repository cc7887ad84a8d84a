#pragma once

// The readers of files that tune or somebody else wrote, and of bytes from other processes: any
// bytes are read or refused with a sentence, and what is read can be written and read again.

#include <string>
#include <string_view>
#include <vector>

namespace tune::fuzz {

struct Reader {
  std::string_view subject;  ///< also its folder in tests/fuzz/corpus
  /// True when the bytes were read. Throws std::logic_error for a promise that is not kept.
  bool (*take_in)(std::string_view bytes);
};

const std::vector<Reader>& readers();

/// Throws std::logic_error where there is none.
const Reader& reader_of(std::string_view subject);

/// Bytes of a client, to a server of pages (the first byte is even) or of a trace; "@" means the
/// word in the address that nobody guesses. True when something was given.
bool take_in_request(std::string_view bytes);

}  // namespace tune::fuzz
