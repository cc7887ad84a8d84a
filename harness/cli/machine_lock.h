#pragma once

#include "campaign/run_lock.h"

#include <filesystem>
#include <optional>

namespace tune::cli {

/// The lock of this machine for a run in that directory; nothing, and a sentence on standard error,
/// while another run measures.
std::optional<campaign::RunLock> lock_machine(const std::filesystem::path& run_directory);

/// The lock of a folder of the cache in which one gate at a time builds; nothing, and a sentence on
/// standard error, while another one has it.
std::optional<campaign::RunLock> lock_workshop(const std::filesystem::path& folder,
                                               const std::filesystem::path& run_directory);

}  // namespace tune::cli
