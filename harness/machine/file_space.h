#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::machine {

/// The file system of a folder, or of the folder that would be made: the folder itself, or the
/// nearest existing one above it.
struct FileSpace {
  std::filesystem::path folder;  ///< that exists
  std::string type;              ///< "ext4", "tmpfs", "nfs"; "" when it is unknown
  std::int64_t total_bytes = 0;
  std::int64_t free_bytes = 0;             ///< for this user
  std::optional<std::int64_t> free_files;  ///< nothing when the file system does not count them
  bool is_writable = false;                ///< by this user
  bool is_remote = false;                  ///< on another machine: its speed is not this one's
  bool is_memory = false;                  ///< in memory: files take what trials need
};

/// Nothing when no part of the path can be inspected. Makes nothing.
std::optional<FileSpace> file_space(const std::filesystem::path& folder);

}  // namespace tune::machine
