#pragma once

#include "scenario/scenario.h"

#include <string>

namespace tune::scenario {

/// What `--only` says: an expression over the names that a `forbid` may use. Throws tune::Error
/// with everything that is wrong with it.
Forbid read_only(const std::string& text);

}  // namespace tune::scenario
