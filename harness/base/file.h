#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tune {

/// The whole file as text; reading is retried after a fault of the machine. Throws tune::Error when
/// the file does not exist, may not be read or is larger than `limit_bytes`, MachineError when it
/// cannot be read now.
std::string read_file(const std::filesystem::path& path, std::int64_t limit_bytes = 64 << 20);

/// As read_file(), for a file that tune made itself: missing permission is a MachineError, too. Any
/// other tune::Error means that it is certainly missing or damaged.
std::string read_kept_file(const std::filesystem::path& path, std::int64_t limit_bytes = 64 << 20);

/// What exists at a path, links followed; `not_found` is certain. Throws MachineError when that
/// cannot be determined now, tune::Error when it may not be asked or the path is invalid.
std::filesystem::file_type type_of(const std::filesystem::path& path);

/// As type_of(), at a path of our own: missing permission is a MachineError, too.
std::filesystem::file_type type_of_kept(const std::filesystem::path& path);

/// Replaces the file atomically: temporary name in the same folder, fsync, rename, fsync of the
/// folder. Readers see the old text or the new one, also after a power cut. Throws tune::Error.
void write_file_synced(const std::filesystem::path& path, std::string_view text);

/// The same for a file of the user: it keeps its permissions, and if `path` is a link, the file
/// that it points to is replaced, not the link.
void replace_file_synced(const std::filesystem::path& path, std::string_view text);

/// Makes the folder, and those above it, where they are missing. Throws tune::Error with the
/// suggestion, MachineError when the machine is the cause.
void make_folders(const std::filesystem::path& folder, const std::string& suggestion = "");

/// Whether `path` is `folder` or in it; by their words alone: both absolute, or both relative.
bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder);

/// The wanted entries of `folder`, sorted by name; none when it cannot be read. Links are left out:
/// the target of tune-runs/latest is listed under its own name.
std::vector<std::filesystem::path> folders_in(
    const std::filesystem::path& folder,
    const std::function<bool(const std::filesystem::path&)>& is_wanted);

/// All entries of a folder of our own, sorted by name; none when it does not exist. Throws
/// MachineError when it cannot be listed now.
std::vector<std::filesystem::path> kept_entries(const std::filesystem::path& folder);

}  // namespace tune
