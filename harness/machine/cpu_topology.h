#pragma once

#include <filesystem>
#include <vector>

namespace tune::machine {

/// The first of these CPUs on each core, in their order: CPUs that share no core (SMT).
std::vector<int> one_cpu_of_each_core(const std::vector<int>& cpus,
                                      const std::filesystem::path& root = "/");

/// These CPUs by memory node (NUMA), nodes without any left out. One list where the kernel tells no
/// nodes.
std::vector<std::vector<int>> cpus_by_node(const std::vector<int>& cpus,
                                           const std::filesystem::path& root = "/");

}  // namespace tune::machine
