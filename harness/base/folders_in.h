#pragma once

#include <filesystem>
#include <functional>
#include <vector>

namespace tune {

/// What lies in `folder` and is wanted, by name; nothing where it cannot be read. Links are left
/// out: tune-runs/latest is there under its own name.
std::vector<std::filesystem::path> folders_in(
    const std::filesystem::path& folder,
    const std::function<bool(const std::filesystem::path&)>& is_wanted);

/// All that lies in a folder of our own, by name; nothing where there is none. Throws MachineError
/// when it cannot be listed now.
std::vector<std::filesystem::path> kept_entries(const std::filesystem::path& folder);

}  // namespace tune
