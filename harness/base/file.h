#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tune {

/// The whole file as text. Throws tune::Error when it cannot be read or is larger than
/// `limit_bytes`.
std::string read_file(const std::filesystem::path& path, std::int64_t limit_bytes = 64 << 20);

/// Replaces the file in one step: temporary name in the same folder, fsync, rename, fsync of the
/// folder. Readers see the old text or the new one, also after a power cut. Throws tune::Error.
void write_file_synced(const std::filesystem::path& path, std::string_view text);

/// The same for a file of the user: it keeps its permissions, and where `path` is a link the file
/// that it points to is replaced, not the link.
void replace_file_synced(const std::filesystem::path& path, std::string_view text);

}  // namespace tune
