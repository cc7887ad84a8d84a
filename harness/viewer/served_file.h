#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tune::viewer {

/// A file for a viewer.
struct ServedFile {
  std::filesystem::path path;
  std::string name;          ///< of it in the address
  std::int64_t bytes = 0;    ///< as stored
  bool is_unpacked = false;  ///< zstd, which not every Perfetto reads, is unpacked on the way
};

/// Looks at the file's size and first bytes. Throws tune::Error when it cannot be read or is empty.
ServedFile look_at_file(const std::filesystem::path& path);

}  // namespace tune::viewer
