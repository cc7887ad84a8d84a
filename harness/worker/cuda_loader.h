#pragma once

#include "worker/cuda/plugin.h"

#include <filesystem>
#include <memory>
#include <string>

namespace tune::worker {

/// Where to look for the driver and the plug-in.
struct CudaPlaces {
  std::string driver = "libcuda.so.1";
  std::filesystem::path plugin;
};

/// The plug-in next to this program.
CudaPlaces usual_cuda_places();

/// The GPU of this process: a plug-in with its device, or the reason why there is none.
struct CudaLoad {
  std::unique_ptr<CudaPlugin> plugin;
  Unavailable reason;  ///< only without a plug-in
};

/// Must be called first in main(): the first query of LibTorch's CUDA part freezes the answer.
/// Opens the plug-in, and with it two gigabytes of libraries, only when a driver answers that is
/// new enough. What was opened stays open. Never throws.
///
/// Reasons: no_driver, driver_too_old, no_device, no_permission, busy, not_ready, driver_error;
/// no_plugin (the file or a library that it needs is missing), wrong_plugin (of another build),
/// device_too_old.
CudaLoad load_cuda(const CudaPlaces& places) noexcept;

/// "<text> (<kind>)", "" when there is no reason.
std::string no_gpu(const Unavailable& reason);

/// "no GPU trace: <text> (<kind>)", as reports say it.
std::string no_gpu_trace(const Unavailable& reason);

/// The GPU of a trial that asks for this `device` (auto, cpu or cuda), or why it has none. For cpu
/// it does not look for a driver and gives no reason. Like load_cuda(), must be called before
/// anything of LibTorch.
///
/// Throws std::invalid_argument with a sentence for the user when `cuda` is not available.
CudaLoad open_trial_device(const std::string& device, const CudaPlaces& places);

}  // namespace tune::worker
