#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::machine {

/// Where files of a folder go, or would go were it made: the folder, or the nearest one above it
/// that is there.
struct FileSpace {
  std::filesystem::path folder;  ///< that is there
  std::string type;              ///< "ext4", "tmpfs", "nfs"; "" when it is none of the known ones
  std::int64_t total_bytes = 0;
  std::int64_t free_bytes = 0;             ///< for this user
  std::optional<std::int64_t> free_files;  ///< nothing where the file system counts none
  bool is_writable = false;                ///< by this user
  bool is_remote = false;                  ///< on another machine: its speed is not this one's
  bool is_memory = false;                  ///< in memory: files take what trials need
};

/// Nothing when no part of the path can be looked at. Makes nothing.
std::optional<FileSpace> file_space(const std::filesystem::path& folder);

}  // namespace tune::machine
