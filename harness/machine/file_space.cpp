#include "machine/file_space.h"

#include <algorithm>
#include <array>
#include <limits>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <system_error>
#include <unistd.h>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

enum class Where { disk, memory, network };

struct FileSystem {
  std::uint32_t magic;
  const char* name;
  Where where;
};

// statfs(2); ext2, ext3 and ext4 share one number.
constexpr std::array<FileSystem, 16> kFileSystems = {{{0xEF53, "ext4", Where::disk},
                                                      {0x58465342, "xfs", Where::disk},
                                                      {0x9123683E, "btrfs", Where::disk},
                                                      {0x2FC12FC1, "zfs", Where::disk},
                                                      {0xF2F52010, "f2fs", Where::disk},
                                                      {0x794C7630, "overlay", Where::disk},
                                                      {0x01021994, "tmpfs", Where::memory},
                                                      {0x858458F6, "ramfs", Where::memory},
                                                      {0x6969, "nfs", Where::network},
                                                      {0xFF534D42, "cifs", Where::network},
                                                      {0xFE534D42, "smb2", Where::network},
                                                      {0x01021997, "9p", Where::network},
                                                      {0x0BD00BD0, "lustre", Where::network},
                                                      {0x00C36400, "ceph", Where::network},
                                                      {0x47504653, "gpfs", Where::network},
                                                      {0x65735546, "fuse", Where::disk}}};

std::int64_t product(std::uint64_t blocks, std::uint64_t block_bytes) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (block_bytes == 0 || blocks > kMost / block_bytes) {
    return block_bytes == 0 ? 0 : std::numeric_limits<std::int64_t>::max();
  }
  return static_cast<std::int64_t>(blocks * block_bytes);
}

fs::path nearest_folder(const fs::path& folder) {
  std::error_code failed;
  fs::path at = fs::absolute(folder, failed).lexically_normal();
  while (!fs::is_directory(at, failed) && at.has_relative_path()) {
    at = at.parent_path();
  }
  return at;
}

void name_type(const fs::path& folder, FileSpace& space) {
  struct statfs facts {};
  if (statfs(folder.c_str(), &facts) != 0) {
    return;
  }
  const auto magic = static_cast<std::uint32_t>(facts.f_type);
  const auto* const known = std::find_if(kFileSystems.begin(),
                                         kFileSystems.end(),
                                         [&](const FileSystem& one) { return one.magic == magic; });
  if (known != kFileSystems.end()) {
    space.type = known->name;
    space.is_memory = known->where == Where::memory;
    space.is_remote = known->where == Where::network;
  }
}

}  // namespace

std::optional<FileSpace> file_space(const fs::path& folder) {
  FileSpace space;
  space.folder = nearest_folder(folder);
  struct statvfs facts {};
  if (statvfs(space.folder.c_str(), &facts) != 0) {
    return std::nullopt;
  }
  space.total_bytes = product(facts.f_blocks, facts.f_frsize);
  space.free_bytes = product(facts.f_bavail, facts.f_frsize);
  if (facts.f_files > 0) {
    space.free_files = product(facts.f_favail, 1);
  }
  space.is_writable = access(space.folder.c_str(), W_OK | X_OK) == 0;
  name_type(space.folder, space);
  return space;
}

}  // namespace tune::machine
