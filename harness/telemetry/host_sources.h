#pragma once

#include "telemetry/series.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace tune::telemetry {

/// Everything about the machine but its GPUs: CPUs, pressure, memory, disks, network, clocks, heat,
/// the quota. `cpus` are those that workers may run on.
std::vector<std::unique_ptr<Source>> make_host_sources(const std::vector<int>& cpus,
                                                       const std::filesystem::path& root = "/");

}  // namespace tune::telemetry
