#pragma once

#include "worker/cuda/plugin.h"

#include <string>

namespace tune::worker {

/// The oldest driver that the pinned LibTorch supports, as CUDA's number: 13.0.
constexpr int kOldestDriver = 13'000;

/// The reason for a failed call of the driver or of the runtime; they share their error numbers.
/// `words` are CUDA's own and may be empty.
Unavailable why_no_device(int code, const std::string& call, const std::string& words);

/// `version` as returned by cuDriverGetVersion.
Unavailable driver_too_old(int version);

}  // namespace tune::worker
