#pragma once

#include <cstdint>
#include <filesystem>

namespace tune::machine {

/// Lets the kernel forget the largest resident size of this process so far. False when it cannot;
/// then the peak counts from the start of the process.
bool restart_peak_memory(const std::filesystem::path& root = "/");

/// The largest resident size of this process since the restart, or since it began.
std::int64_t peak_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace tune::machine
