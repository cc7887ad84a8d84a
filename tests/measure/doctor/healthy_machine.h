#pragma once

#include "machine/worker_torch.h"
#include "measure/doctor/checks.h"
#include "measure/doctor/observation.h"
#include "trial/trial_spec.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tune::doctor {

/// Puts a series into the window: a number, or the reason why there is none.
inline void put(Observation& seen, const char* id, double mean) {
  telemetry::SeriesSummary series;
  series.info.id = id;
  series.info.unit = "ratio";
  series.mean = mean;
  std::erase_if(seen.window.series, [&](const auto& one) { return one.info.id == id; });
  seen.window.series.push_back(series);
}

inline void take_away(Observation& seen, const char* id, const std::string& reason) {
  for (telemetry::SeriesSummary& series : seen.window.series) {
    if (series.info.id == id) {
      series.mean.reset();
      series.reason = reason;
    }
  }
}

inline constexpr std::int64_t kGiB = std::int64_t{1} << 30;

/// A quiet machine of four cores on which nothing is wrong; tests break one thing of it.
inline Observation healthy_machine() {
  Observation seen;
  seen.machine.cpu_model = "Model T";
  seen.machine.cpus = seen.machine.logical_cpus = seen.machine.physical_cores = 4;
  seen.machine.memory_bytes = seen.machine.memory_limit_bytes = 16 * kGiB;
  seen.machine.kernel = "6.1.0";
  seen.machine.distribution = "Debian GNU/Linux 12 (bookworm)";
  seen.policy.governors = {"performance"};
  seen.policy.driver = "acpi-cpufreq";
  seen.policy.turbo = false;
  seen.policy.shares_cores = false;
  seen.policy.numa_nodes = 1;
  seen.policy.clock_source = "tsc";
  seen.memory.available_bytes = 12 * kGiB;
  seen.memory.swap_bytes = seen.memory.swap_used_bytes = 0;
  seen.memory.huge_pages = seen.memory.huge_pages_defrag = "madvise";
  machine::FileSpace disk;
  disk.folder = "/home/you";
  disk.type = "ext4";
  disk.total_bytes = 100 * kGiB;
  disk.free_bytes = 50 * kGiB;
  disk.free_files = 1'000'000;
  disk.is_writable = true;
  seen.folders = {{"run directories", "", "/home/you/tune-runs", disk},
                  {"cache", "TUNE_CACHE_DIR", "/home/you/.cache/tune", disk}};
  seen.shared_memory = disk;
  seen.shared_memory->folder = "/dev/shm";
  seen.most_open_files = 1024;
  seen.gpus.problem = "libnvidia-ml.so.1: cannot open shared object file";
  seen.installation.tune_version = "0.1.0";
  seen.installation.worker = "/opt/tune/tune-worker";
  trial::WorkerDescription worker;
  worker.protocol = trial::kProtocol;
  worker.version = "0.1.0";
  worker.torch_version = std::string(machine::kTorchVersion) + ".0";
  worker.cpu_capability = "AVX2";
  worker.jpeg_version = "libjpeg-turbo 2.1.5";
  worker.no_gpu_kind = "no_driver";
  worker.no_gpu_text = "no NVIDIA driver";
  seen.installation.description = worker;
  seen.installation.probe_utc = "2026-01-01T00:00:00Z";
  seen.window_s = 1;
  seen.window.cpus = 4;
  for (const char* const id : {"cpu_busy_ratio",
                               "steal_ratio",
                               "disk_busy_ratio",
                               "psi_memory_ratio",
                               "swap_in_rate",
                               "swap_out_rate",
                               "cpu_throttle_rate"}) {
    put(seen, id, 0);
  }
  put(seen, "cpu_temperature", 45);
  return seen;
}

/// The check of that id; one that says "there is none" when it is missing.
inline Check check_of(const std::vector<Check>& checks, const std::string& id) {
  const auto found = std::find_if(
      checks.begin(), checks.end(), [&](const Check& check) { return check.id == id; });
  return found != checks.end() ? *found : Check{.id = id, .found = "there is none"};
}

}  // namespace tune::doctor
