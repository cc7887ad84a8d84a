#pragma once

#include "scenario/scenario.h"

#include <filesystem>
#include <string>

namespace tune::scenario {

/// What names a scenario that came without a file: its name is free, and relative paths in it are
/// relative to the current folder.
inline constexpr const char* kStandardInput = "-";

/// Throws tune::Error with every complaint of the file, each with file:line:col.
/// `file` is named in complaints as the user wrote it, and relative paths in the text are relative
/// to it.
Scenario read_scenario(const std::string& text, const std::filesystem::path& file);

/// Reads the file first; a missing file is a complaint with the nearest scenario as suggestion.
Scenario load_scenario(const std::filesystem::path& file);

}  // namespace tune::scenario
