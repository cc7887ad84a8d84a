#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace tune::machine
