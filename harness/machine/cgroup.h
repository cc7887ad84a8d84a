#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tune::machine {

/// What the control group of this process, or one above it, allows.
struct CgroupLimits {
  std::optional<double> cpus;  ///< quota / period
  std::optional<std::int64_t> memory_bytes;
};

/// Reads <root>/proc/self/cgroup and <root>/sys/fs/cgroup, version 2 and version 1.
CgroupLimits read_cgroup_limits(const std::filesystem::path& root);

/// How often the kernel killed a process of this control group for want of memory; nothing when it
/// does not say.
std::optional<std::int64_t> read_oom_kills(const std::filesystem::path& root);

}  // namespace tune::machine
