#pragma once

#include "machine/telemetry/summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::telemetry {

/// A number for the rules, from the measured window of one trial.
struct HostMetric {
  std::string id;    ///< "run_delay_ratio"
  std::string unit;  ///< of the series, or "ratio"
  std::optional<double> value;
  std::string reason;  ///< why there is none
};

/// All metrics, always in the same order:
///
///   cpu_busy_ratio, io_wait_ratio, steal_ratio, psi_*_ratio, cgroup_throttled_ratio, disk_*,
///   swap_*_rate, network_*_rate, context_switch_rate, *_fault_rate, worker_cores, gpu_* and so on:
///                          mean of the series of that name
///   free_memory_bytes      its least; resident_bytes, cpu_temperature, gpu_temperature: their most
///   other_cpu_cores        busy CPUs that the worker did not use
///   run_delay_ratio        time that threads of the worker waited for a CPU / time they had one
///   system_time_ratio      of the worker's CPU time, spent in the kernel
///   cpu_frequency_ratio    mean clock / clock without turbo
///   early_read_rate, late_read_rate   disk_read_rate in the two halves of the window
///   sm_clock_drop_ratio    1 - mean clock / highest clock of the GPU
///   power_draw_ratio       mean power / power limit of the GPU
///   power_cap_ratio        of the window, while the power limit held the GPU's clock down
///   foreign_gpu_utilisation_ratio   how busy the GPU was before the worker used it
///
/// GPU numbers are those of the first GPU that the worker sees.
std::vector<HostMetric> host_metrics(const TrialTelemetry& telemetry);

/// One metric of a setting, from the trials that measured it.
struct CellMetric {
  std::string id, unit;
  std::vector<double> values;  ///< one per trial that has it
  std::string reason;          ///< why there is none, from the first trial without one
};

/// The machine while one setting was measured.
struct CellTelemetry {
  std::string cell;
  std::string stage;                ///< of the trials: "search", "audit" or "confirm"
  std::int64_t trials = 0;          ///< with telemetry
  std::string reason;               ///< why there are none, or too few; or ""
  std::vector<CellMetric> metrics;  ///< in the order of host_metrics()
  std::string curves_of;            ///< the trial whose curves are shown
  TrialTelemetry example;           ///< that trial
};

/// A trial and its telemetry.
struct NamedTelemetry {
  std::string trial;
  TrialTelemetry telemetry;
};

/// The metrics of the trials side by side, and the curves of the last. `cell` and `stage` are left
/// to the caller.
CellTelemetry combine(const std::vector<NamedTelemetry>& trials);

}  // namespace tune::telemetry
