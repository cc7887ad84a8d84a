#pragma once

#include "script.h"

#include <string>

namespace tune::fake {

/// What `fake-worker --describe` prints, as the worker does: the GPU that trials would get, or why
/// none.
std::string describe(const Script& script);

}  // namespace tune::fake
