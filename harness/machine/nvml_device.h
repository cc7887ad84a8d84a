#pragma once

#include "machine/nvml.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace tune::machine {

/// What can be read from a GPU while it works.
enum class GpuQuantity {
  util,         ///< ratio of the time in which some kernel ran; not how full the chip was
  memory_util,  ///< ratio of the time in which its memory was read or written
  memory_used,  ///< bytes, of all processes
  energy,       ///< joules since the driver was loaded
  temperature,  ///< degrees Celsius
  memory_temperature,
  sm_clock,  ///< Hz
  memory_clock,
  power_capped,      ///< 1 while the clocks are lowered to stay within the power limit, else 0
  thermally_slowed,  ///< 1 while they are lowered for heat, else 0
  // Seconds since the driver was loaded during which the clocks were lowered for this reason.
  power_cap_time,
  sync_boost_time,
  software_thermal_time,
  hardware_thermal_time,
  power_brake_time,
  // Bytes since the driver was loaded.
  pcie_sent,
  pcie_received,
  nvlink_sent,
  nvlink_received,
  // Between two readings; Hopper and newer, ratios.
  sm_util,       ///< mean over the SMs of the time in which they had work
  sm_occupancy,  ///< resident warps / warps that there is room for
  tensor_util,
  dram_util,
};
constexpr std::size_t kGpuQuantities = static_cast<std::size_t>(GpuQuantity::dram_util) + 1;

/// A number, or the code of the call that refused it.
struct GpuValue {
  double value = 0;
  int code = nvml::kNotSupported;  ///< 0: the value is known
};
using GpuValues = std::array<GpuValue, kGpuQuantities>;

/// One GPU, read repeatedly; a call takes a few microseconds to a few milliseconds.
class NvmlDevice {
 public:
  /// `library` must outlive this.
  NvmlDevice(const Nvml& library, const Nvml::Gpu& gpu);
  ~NvmlDevice();
  NvmlDevice(const NvmlDevice&) = delete;
  NvmlDevice& operator=(const NvmlDevice&) = delete;

  /// Every quantity has its own code. Quantities between two readings have a value from the second
  /// call on, if the calls are 100 ms apart.
  const GpuValues& read(std::int64_t now_ns);

  /// Its highest clock in Hz, its power limit in W, its memory in bytes: once.
  GpuValue max_sm_clock() const;
  GpuValue power_limit() const;
  GpuValue memory_total() const;

  /// Processes that use it for computing.
  GpuValue process_count() const;

 private:
  GpuValue& at(GpuQuantity quantity) { return values_[static_cast<std::size_t>(quantity)]; }
  void read_states();
  void read_fields();
  void read_gpm(std::int64_t now_ns);
  GpuValue clock(const char* function, nvml::Clock clock) const;

  const Nvml& library_;
  nvml::Device handle_;
  GpuValues values_;
  int gpm_code_ = nvml::kNotSupported;
  nvml::GpmSample gpm_before_ = nullptr, gpm_after_ = nullptr;
  std::int64_t gpm_ns_ = 0;  // of gpm_before_; 0: there is none
  nvml::GpmMetrics gpm_;
};

}  // namespace tune::machine
