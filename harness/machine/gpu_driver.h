#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::machine {

/// The oldest releases of NVIDIA's driver that run CUDA 12 and CUDA 13, for which there are
/// LibTorches. Also in harness/setup/torch.sh.
constexpr std::int64_t kOldestDriverRelease = 525, kOldestDriverOfCuda13 = 580;

/// That of a CUDA by its number: 580 of 13000.
constexpr std::int64_t oldest_driver_release(std::int64_t cuda) {
  constexpr std::int64_t kCuda13 = 13'000;
  return cuda >= kCuda13 ? kOldestDriverOfCuda13 : kOldestDriverRelease;
}

/// Whether there is any sign of an NVIDIA driver, without calling it. In some containers and under
/// WSL 2 /proc does not show it.
bool shows_driver(const std::filesystem::path& root);

/// "580.65.06", the kernel's part of NVIDIA's driver; "" when /proc does not show it.
std::string driver_version(const std::filesystem::path& root);

/// 580 of "580.65.06".
std::optional<std::int64_t> driver_release(std::string_view version);

/// The folders of an LD_LIBRARY_PATH that contain libcuda.so.1, separated by colons. On NixOS, with
/// cuda-compat and on some clusters nothing else leads to it. Relative folders are left out: they
/// mean something else in another process.
std::string driver_folders(std::string_view library_path);

/// "GPU-8a6b1c2d-...": the 16 bytes that CUDA calls a device's uuid, as NVML writes them.
std::string gpu_uuid_text(const std::array<std::uint8_t, 16>& bytes);

/// The GPUs that a process with this CUDA_VISIBLE_DEVICES sees, in CUDA's order: indices into
/// `uuids`, which lists all GPUs by PCI address (CUDA_DEVICE_ORDER=PCI_BUS_ID). Follows CUDA:
/// entries are numbers, or prefixes of a UUID that match one GPU; the list ends at the first entry
/// that matches none, and is empty when a GPU is named twice. Nothing: the variable is not set, and
/// all are seen.
std::vector<std::size_t> visible_gpus(const std::optional<std::string>& variable,
                                      const std::vector<std::string>& uuids);

}  // namespace tune::machine
