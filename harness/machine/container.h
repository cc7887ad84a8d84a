#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tune::machine {

/// The limits of the control group of this process, or of one above it.
struct CgroupLimits {
  std::optional<double> cpus;  ///< quota / period
  std::optional<std::int64_t> memory_bytes;
};

/// Reads <root>/proc/self/cgroup and <root>/sys/fs/cgroup, version 2 and version 1.
CgroupLimits read_cgroup_limits(const std::filesystem::path& root);

/// How often the kernel killed a process of this control group because memory ran out; nothing when
/// it does not say.
std::optional<std::int64_t> read_oom_kills(const std::filesystem::path& root);

/// How many processes and threads this control group, or one above it, allows; nothing: unlimited.
std::optional<std::int64_t> read_task_limit(const std::filesystem::path& root);

/// The innermost file `cpu.stat` above this process that counts how long its quota throttled
/// threads; "" when none does.
std::filesystem::path throttling_file(const std::filesystem::path& root);

/// How long they were throttled since the group was made, summed over all CPUs, from the text of
/// that file.
std::optional<std::int64_t> parse_throttled_ns(std::string_view cpu_stat);

/// The layers between this process and the hardware.
struct Container {
  bool is_container = false;        ///< by the marks that Docker, Podman and systemd leave
  bool is_virtual_machine = false;  ///< the processor says so
  std::string platform;             ///< "Google Compute Engine"; "" when the firmware does not say
  std::optional<std::int64_t> most_tasks;  ///< processes and threads that the control group allows
};

/// Reads <root>/proc/cpuinfo, <root>/sys/class/dmi/id, <root>/.dockerenv and the control group.
Container read_container(const std::filesystem::path& root = "/");

}  // namespace tune::machine
