#pragma once

#include "worker/cuda/plugin.h"

#include <string>

namespace tune::worker {

/// The reason for a failed call of the driver or of the runtime; they share their error numbers.
/// `words` are CUDA's own and may be empty.
Unavailable why_no_device(int code, const std::string& call, const std::string& words);

/// CUDA's numbers: 13000 is 13.0; `version` as returned by cuDriverGetVersion.
Unavailable driver_too_old(int version, int oldest);

}  // namespace tune::worker
