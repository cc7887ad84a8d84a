#pragma once

#include "script.h"

#include <string>

namespace tune::fake {

/// The output of `fake-worker --describe`, like the worker's: the GPU that trials would get, or why
/// none.
std::string describe(const Script& script);

}  // namespace tune::fake
