#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tune::machine {

/// The folders in which a program looks for its shared libraries before anywhere else: what is
/// written into it (DT_RPATH, else DT_RUNPATH), $ORIGIN resolved. Empty where nothing is, and where
/// the file is no 64-bit program of this machine's byte order.
std::vector<std::filesystem::path> library_folders(const std::filesystem::path& program);

/// Whether the program itself names this library ("libc10.so") as one that it cannot start without.
bool needs_library(const std::filesystem::path& program, std::string_view name);

}  // namespace tune::machine
