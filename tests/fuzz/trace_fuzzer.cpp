// libFuzzer over decompressor, splitter, mender and reader of traces, metrics and tables (preset
// `fuzz`, see CMakeLists.txt).

#include "taken_in.h"

#include <cstdint>
#include <cstdlib>

// A failed assertion of ours ends the process at once (base/assert.h): libFuzzer must see it, to
// keep the input.
extern "C" void _exit(int) {
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tune::fuzz::take_in({reinterpret_cast<const char*>(data), size});
  return 0;
}
