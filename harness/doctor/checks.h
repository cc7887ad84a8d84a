#pragma once

#include "doctor/check.h"
#include "doctor/observation.h"

#include <vector>

namespace tune::doctor {

// What an observation means, one family a file; pure functions. Thresholds that rules have too
// (rules/noisy-neighbour.yaml) are the same here.

/// Governor, turbo, shared cores, memory nodes, the clock that programs read, heat, battery.
std::vector<Check> processor_checks(const Observation& seen);

/// What others did to CPUs, disks and memory while the machine was watched.
std::vector<Check> load_checks(const Observation& seen);

/// Free memory, swap, huge pages, /dev/shm.
std::vector<Check> memory_checks(const Observation& seen);

/// Room in the folders that runs write to.
std::vector<Check> storage_checks(const Observation& seen);

/// What a container or a batch system allows, and variables that workers inherit.
std::vector<Check> limit_checks(const Observation& seen);

/// The driver, and each GPU.
std::vector<Check> gpu_checks(const Observation& seen);

/// tune, its worker and LibTorch, and whether they fit.
std::vector<Check> installation_checks(const Observation& seen);

}  // namespace tune::doctor
