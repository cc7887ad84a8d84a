#pragma once

#include <string>
#include <vector>

namespace tune::machine {

/// Those of the variables "NAME=value" that change how fast a training runs (threads, allocator,
/// libraries), sorted; values cut at 256 bytes.
std::vector<std::string> performance_variables(const char* const* environment);

}  // namespace tune::machine
