#pragma once

#include "machine/nvml.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tune::machine {

/// NVIDIA's driver; what it does not report is empty.
struct GpuDriver {
  std::string version;                       ///< "580.95.05"
  std::optional<std::int64_t> cuda_version;  ///< the newest that it supports: 13000 is 13.0
};
GpuDriver read_gpu_driver(const Nvml& library);

/// The configuration and current state of a GPU; what the driver does not report is empty.
struct GpuState {
  std::string uuid, name;
  std::optional<bool> is_persistent;   ///< the driver stays loaded while nobody uses it
  std::optional<bool> is_partitioned;  ///< MIG: programs see slices of it
  std::string compute_mode;            ///< "shared", "exclusive-process", "prohibited"
  std::optional<double> power_limit_w, usual_power_limit_w;
  std::optional<std::int64_t> link_width, most_link_width;  ///< PCIe lanes
  std::optional<std::int64_t> uncorrected_errors;  ///< of its memory since the driver was loaded
  std::optional<std::int64_t> processes;           ///< that compute on it
  std::optional<double> used_ratio;                ///< of the time in which some kernel ran
  std::optional<std::int64_t> memory_bytes, memory_used_bytes;
  std::optional<double> temperature;                         ///< degrees Celsius
  std::optional<bool> is_power_capped, is_thermally_slowed;  ///< this lowers its clocks now
};

/// The GPU that trials use: the first that this CUDA_VISIBLE_DEVICES allows.
struct UsedGpu {
  std::size_t gpus = 0;              ///< that the machine has
  std::size_t allowed = 0;           ///< how many of them
  std::optional<std::size_t> index;  ///< of the one that is used; nothing: none is allowed
  std::string name;
};
UsedGpu find_used_gpu(const Nvml& library, const std::optional<std::string>& visible_devices);

/// `library` must have listed the GPU.
GpuState read_gpu_state(const Nvml& library, const Nvml::Gpu& gpu);

}  // namespace tune::machine
