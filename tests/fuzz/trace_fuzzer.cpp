// libFuzzer over decompressor, splitter, mender and reader of traces (clang only, see
// CMakeLists.txt).

#include "taken_in.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tune::fuzz::take_in({reinterpret_cast<const char*>(data), size});
  return 0;
}
