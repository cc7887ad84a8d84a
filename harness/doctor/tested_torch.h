#pragma once

#include "machine/worker_torch.h"

#include <string_view>

namespace tune::doctor {

/// The LibTorch that tune is tested with.
constexpr std::string_view kTestedTorch = machine::kTorchVersion;

}  // namespace tune::doctor
