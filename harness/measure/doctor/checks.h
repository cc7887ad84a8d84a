#pragma once

#include "measure/doctor/observation.h"

#include <string>
#include <vector>

namespace tune::doctor {

/// From what needs no look to what stops a run.
enum class Level {
  ok,
  unknown,  ///< this machine does not say
  note,     ///< worth knowing; measurements are right anyway
  warning,  ///< measurements scatter, drift, or are not this machine's best
  failure   ///< a run would end with an error
};

/// "ok", "unknown", "note", "warning", "failure".
const char* name(Level level);

/// One thing that was looked at.
struct Check {
  std::string id;     ///< "cpu-governor"; stable, scripts may rely on it
  std::string group;  ///< "processor", "load", "memory", "storage", "limits", "gpu", "installation"
  Level level = Level::ok;
  std::string found;   ///< what there is, as one line
  std::string why;     ///< what it does to measurements; "" when it is fine
  std::string advice;  ///< what to do about it; "" when there is nothing to do
};

/// 0.0312 -> "3.1 %".
std::string percent(double ratio);

/// 1.2499 -> "1.25".
std::string two_places(double value);

/// The check, with what this machine does not say.
Check not_known(Check check, std::string found);

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
