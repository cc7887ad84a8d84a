// libFuzzer over one reader of readers.h, which SUBJECT names (see CMakeLists.txt).

#include "readers.h"

#include <cstdint>
#include <cstdlib>

// A failed assertion of ours ends the process at once (base/assert.h): libFuzzer must see it, to
// keep the input.
extern "C" void _exit(int) {
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tune::fuzz::Reader& reader = tune::fuzz::reader_of(SUBJECT);
  reader.take_in({reinterpret_cast<const char*>(data), size});
  return 0;
}
