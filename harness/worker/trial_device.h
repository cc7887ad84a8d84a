#pragma once

#include "worker/cuda_loader.h"

#include <string>

namespace tune::worker {

/// The GPU of a trial that asks for this `device` (auto, cpu or cuda), or why it has none. For cpu
/// no driver is looked for, and there is no reason. As load_cuda(): to be called before anything
/// of LibTorch.
///
/// Throws std::invalid_argument with a sentence for the user when `cuda` cannot be had.
CudaLoad open_trial_device(const std::string& device, const CudaPlaces& places);

}  // namespace tune::worker
