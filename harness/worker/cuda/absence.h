#pragma once

#include "worker/cuda/plugin.h"

#include <string>

namespace tune::worker {

/// The oldest driver that the pinned LibTorch runs with, as CUDA's number: 13.0.
constexpr int kOldestDriver = 13'000;

/// The reason that a failed call of the driver or of the runtime gives; their numbers are the same.
/// `words` are CUDA's own, may be empty.
Unavailable why_no_device(int code, const std::string& call, const std::string& words);

/// `version` as cuDriverGetVersion says it.
Unavailable driver_too_old(int version);

}  // namespace tune::worker
