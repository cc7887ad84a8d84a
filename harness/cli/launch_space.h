#pragma once

#include "machine/machine_facts.h"
#include "scenario/scenario.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

/// What may be put before a command on this machine: variables and CPUs, which of them can be
/// tried.
struct LaunchSpace {
  std::vector<std::pair<std::string, std::vector<std::string>>> variables;
  std::vector<std::string> cpus;     ///< lists for `cpu_affinity`, "" (all) first; or none
  std::vector<std::string> missing;  ///< what cannot be tried, and why, a sentence each
};

/// Allocators, OpenMP runtime, threads and binding, huge pages, oneDNN; of those what this machine
/// can use. `root`: "/" for the real machine.
LaunchSpace launch_space(const machine::MachineFacts& machine,
                         const std::filesystem::path& root = "/");

/// The scenario's text with that space as its grid; axes of variables that it has itself stay.
/// Throws tune::Error where there is nothing to try.
std::string launch_scenario(const scenario::Scenario& scenario, const LaunchSpace& space);

}  // namespace tune::cli
