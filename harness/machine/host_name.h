#pragma once

#include <string>

namespace tune::machine {

/// What this machine calls itself, "node7"; "" when it does not say. Tells machines of one class
/// apart, and is no part of what must be equal for numbers to compare.
std::string host_name();

}  // namespace tune::machine
