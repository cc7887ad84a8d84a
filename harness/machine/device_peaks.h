#pragma once

#include <optional>
#include <string_view>

namespace tune::machine {

/// What a GPU can do at best, as its maker published it: dense, at boost clock.
struct DevicePeaks {
  std::string_view name;       ///< as CUDA calls it, without "NVIDIA" or "Tesla" before it
  double half_flop_rate = 0;   ///< FLOP/s of tensor cores on fp16 and bf16, fp32 sums
  double tf32_flop_rate = 0;   ///< of tensor cores on TF32; 0: it has none
  double float_flop_rate = 0;  ///< of fp32 without tensor cores
  double memory_rate = 0;      ///< B/s of its memory
  std::string_view source;
};

/// The peaks of a GPU by the name that a trace or a driver gives it ("NVIDIA H100 80GB HBM3");
/// nothing for one that is not in the table. Names must be equal: an A10G is not an A10.
std::optional<DevicePeaks> device_peaks(std::string_view name);

}  // namespace tune::machine
