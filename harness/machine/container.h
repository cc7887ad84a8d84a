#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::machine {

/// What lies between this process and the hardware.
struct Container {
  bool is_container = false;        ///< by the marks that Docker, Podman and systemd leave
  bool is_virtual_machine = false;  ///< the processor says so
  std::string platform;             ///< "Google Compute Engine"; "" where the firmware does not say
  std::optional<std::int64_t> most_tasks;  ///< processes and threads that the control group allows
};

/// Reads <root>/proc/cpuinfo, <root>/sys/class/dmi/id, <root>/.dockerenv and the control group.
Container read_container(const std::filesystem::path& root = "/");

}  // namespace tune::machine
