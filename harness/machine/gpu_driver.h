#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::machine {

/// The oldest release of NVIDIA's driver that serves CUDA 13, which LibTorch is built for.
/// harness/setup/torch.sh has it too.
constexpr std::int64_t kOldestDriverRelease = 580;

/// Whether anything shows that there is a driver of NVIDIA, without asking it. In some containers
/// and under WSL 2 /proc does not tell of it.
bool shows_driver(const std::filesystem::path& root);

/// "580.65.06", the kernel's part of NVIDIA's driver; "" where /proc does not tell.
std::string driver_version(const std::filesystem::path& root);

/// 580 of "580.65.06".
std::optional<std::int64_t> driver_release(std::string_view version);

/// The folders of an LD_LIBRARY_PATH that hold libcuda.so.1, with a colon between two. NixOS,
/// cuda-compat and some clusters keep it where nothing else leads to. A folder that is not absolute
/// is another one in another process, and is left out.
std::string driver_folders(std::string_view library_path);

/// "GPU-8a6b1c2d-...": the 16 bytes that CUDA calls a device's uuid, as NVML writes them.
std::string gpu_uuid_text(const std::array<std::uint8_t, 16>& bytes);

/// Which GPUs a process with this CUDA_VISIBLE_DEVICES sees, in CUDA's order: indices into `uuids`,
/// which are all GPUs by PCI address (CUDA_DEVICE_ORDER=PCI_BUS_ID). As CUDA reads the variable:
/// numbers, or beginnings of a UUID that fit one GPU; the list ends at the first entry that names
/// none, and is empty when one is named twice. Nothing: the variable is not set, and all are seen.
std::vector<std::size_t> visible_gpus(const std::optional<std::string>& variable,
                                      const std::vector<std::string>& uuids);

}  // namespace tune::machine
