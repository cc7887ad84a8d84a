#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tune {

/// The whole file as text, tried again where the machine stumbled. Throws tune::Error when there is
/// none, it may not be read or is larger than `limit_bytes`, MachineError when it cannot be read
/// now.
std::string read_file(const std::filesystem::path& path, std::int64_t limit_bytes = 64 << 20);

/// The same as read_file() of a file that tune made itself: that it may not be read, too, is
/// MachineError. Any other tune::Error says that it is missing or damaged for certain.
std::string read_kept_file(const std::filesystem::path& path, std::int64_t limit_bytes = 64 << 20);

/// What stands at a path of our own, behind links; `not_found` is certain. Throws MachineError when
/// that cannot be seen now, tune::Error when the path is invalid.
std::filesystem::file_type type_of_kept(const std::filesystem::path& path);

/// Replaces the file in one step: temporary name in the same folder, fsync, rename, fsync of the
/// folder. Readers see the old text or the new one, also after a power cut. Throws tune::Error.
void write_file_synced(const std::filesystem::path& path, std::string_view text);

/// The same for a file of the user: it keeps its permissions, and where `path` is a link the file
/// that it points to is replaced, not the link.
void replace_file_synced(const std::filesystem::path& path, std::string_view text);

/// What lies in `folder` and is wanted, by name; nothing where it cannot be read. Links are left
/// out: tune-runs/latest is there under its own name.
std::vector<std::filesystem::path> folders_in(
    const std::filesystem::path& folder,
    const std::function<bool(const std::filesystem::path&)>& is_wanted);

/// All that lies in a folder of our own, by name; nothing where there is none. Throws MachineError
/// when it cannot be listed now.
std::vector<std::filesystem::path> kept_entries(const std::filesystem::path& folder);

}  // namespace tune
