#pragma once

namespace tune::worker {

/// PyTorch's defaults.
constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

}  // namespace tune::worker
