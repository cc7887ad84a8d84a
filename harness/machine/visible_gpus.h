#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::machine {

/// "GPU-8a6b1c2d-...": the 16 bytes that CUDA calls a device's uuid, as NVML writes them.
std::string gpu_uuid_text(const std::array<std::uint8_t, 16>& bytes);

/// Which GPUs a process with this CUDA_VISIBLE_DEVICES sees, in CUDA's order: indices into `uuids`,
/// which are all GPUs by PCI address (CUDA_DEVICE_ORDER=PCI_BUS_ID). As CUDA reads the variable:
/// numbers, or beginnings of a UUID that fit one GPU; the list ends at the first entry that names
/// none, and is empty when one is named twice. Nothing: the variable is not set, and all are seen.
std::vector<std::size_t> visible_gpus(const std::optional<std::string>& variable,
                                      const std::vector<std::string>& uuids);

}  // namespace tune::machine
