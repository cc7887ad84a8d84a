#pragma once

#include "measure/campaign/locks.h"

#include <filesystem>
#include <optional>

namespace CLI {
class App;
}

namespace tune::cli {

/// The lock of this machine for a run in that directory; nothing, and a sentence on standard error,
/// while another run measures. With `waits` it comes when that one has ended.
std::optional<campaign::RunLock> lock_machine(const std::filesystem::path& run_directory,
                                              bool waits);

/// Adds --wait; `waits` outlives the command.
void add_wait_flag(CLI::App& command, bool& waits);

/// The lock of a run directory, for as long as something is written into it. Throws a MachineError
/// while another program writes into it, perhaps on another machine; says so where its file system
/// has no locks.
campaign::DirectoryLock lock_directory(const std::filesystem::path& directory);

/// The lock of a folder of the cache in which one gate at a time builds; nothing, and a sentence on
/// standard error, while another one has it.
std::optional<campaign::RunLock> lock_workshop(const std::filesystem::path& folder,
                                               const std::filesystem::path& run_directory);

}  // namespace tune::cli
