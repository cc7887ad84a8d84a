#pragma once

#include "machine/container.h"
#include "machine/cpu_policy.h"
#include "machine/file_space.h"
#include "machine/gpu_state.h"
#include "machine/machine_facts.h"
#include "machine/memory.h"
#include "machine/processes.h"
#include "machine/telemetry/summary.h"
#include "trial/device_report.h"
#include "trial/worker_description.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::doctor {

/// A folder that runs write to.
struct UsedFolder {
  std::string what;      ///< "run directories"
  std::string variable;  ///< that names another one: "TUNE_CACHE_DIR"; "" when none does
  std::filesystem::path path;
  std::optional<machine::FileSpace> space;  ///< nothing: it cannot be looked at
};

struct Gpus {
  std::string problem;  ///< why NVML shows none; "" when it does
  machine::GpuDriver driver;
  std::vector<machine::GpuState> states;
  std::size_t visible = 0;            ///< that CUDA_VISIBLE_DEVICES leaves to trials
  std::optional<std::size_t> in_use;  ///< index of the one that trials use
};

/// The installation of tune itself.
struct Installation {
  std::string tune_version, commit;
  std::string worker;            ///< path of its program
  bool worker_is_named = false;  ///< by TUNE_WORKER_PROGRAM
  std::string worker_problem;    ///< why it could not be asked; "" when it could
  bool worker_is_missing = false;
  bool torch_is_missing = false;  ///< the worker is there, and no LibTorch that it could run with
  std::optional<trial::WorkerDescription> description;
  std::string probe_utc;  ///< when `tune probe` was run on this machine; "": never
};

/// Everything that was read of machine and installation; the checks are pure functions of it.
struct Observation {
  machine::MachineFacts machine;
  machine::CpuPolicy policy;
  machine::MemoryState memory;
  machine::Container container;
  std::optional<machine::FileSpace> shared_memory;  ///< /dev/shm
  std::optional<std::int64_t> oom_kills;            ///< of this control group
  std::optional<std::int64_t> most_open_files;      ///< soft limit of this process
  std::vector<std::string> removed_variables;  ///< that workers do not inherit: LD_PRELOAD, ...
  std::vector<UsedFolder> folders;
  Gpus gpus;
  Installation installation;

  double window_s = 0;                        ///< for so long the machine was watched
  telemetry::TrialTelemetry window;           ///< what it did meanwhile
  double own_cpus = 0;                        ///< CPUs that watching took
  std::vector<machine::BusyProcess> busiest;  ///< other processes meanwhile
};

/// The mean of a series of the window; nothing: `reason` says why.
struct Reading {
  std::optional<double> value;
  std::string reason;
};
Reading reading(const Observation& observation, const char* series);

struct ObserveOptions {
  std::filesystem::path root = "/";
  std::string nvml_library = "libnvidia-ml.so.1";
  std::optional<std::string> visible_devices;  ///< CUDA_VISIBLE_DEVICES; nothing: not set
  std::int64_t window_ns = 1'000'000'000;      ///< how long the machine is watched
  std::vector<UsedFolder> folders;             ///< their `space` is filled in
};

/// Reads all of it but `installation` and `removed_variables`; changes nothing.
Observation observe(const ObserveOptions& options);

}  // namespace tune::doctor
