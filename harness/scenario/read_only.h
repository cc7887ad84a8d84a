#pragma once

#include "scenario/scenario.h"

#include <string>

namespace tune::scenario {

/// What `--only` says: an expression over the names that a `forbid` may use. Throws tune::Error
/// with everything that is wrong with it. `settings`:
/// those of the baseline, among which the knobs of a plug-in are.
Forbid read_only(const std::string& text, const trial::KnobSettings& settings = {});

}  // namespace tune::scenario
