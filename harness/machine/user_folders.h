#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tune::machine {

// Absolute paths; asking for one does not create it.

/// For what can be made or fetched again: LibTorch, data sets (in data/). $TUNE_CACHE_DIR, else
/// $XDG_CACHE_HOME/tune, else ~/.cache/tune.
std::filesystem::path cache_folder();

/// For what cannot: history, calibration. $TUNE_DATA_DIR, else $XDG_DATA_HOME/tune, else
/// ~/.local/share/tune.
std::filesystem::path data_folder();

/// For what lasts until the next boot: the lock. $TUNE_RUNTIME_DIR, else $XDG_RUNTIME_DIR/tune,
/// else <temporary folder>/tune-<user id>.
std::filesystem::path runtime_folder();

/// The same without $TUNE_RUNTIME_DIR.
std::filesystem::path usual_runtime_folder();

/// Makes the folder and its parents; new ones are for this user only (mode 0700). Throws
/// tune::Error when it cannot be made, or when it belongs to somebody else (in a shared temporary
/// folder anybody could have made it first).
void make_private_folder(const std::filesystem::path& folder);

/// "nobody"; the number where no user has it.
std::string user_name(std::int64_t user);

}  // namespace tune::machine
