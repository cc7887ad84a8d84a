// libFuzzer over the loader of rules, the expressions in them and their evaluation (preset `fuzz`,
// see CMakeLists.txt).

#include "taken_in_rule.h"

#include <cstdint>
#include <cstdlib>

// A failed assertion of ours ends the process at once (base/assert.h): libFuzzer must see it, to
// keep the input.
extern "C" void _exit(int) {
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  tune::fuzz::take_in_rule(tune::fuzz::named_after_its_id(text));
  tune::fuzz::take_in_expression(text);
  return 0;
}
