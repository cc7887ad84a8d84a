#include "machine/telemetry/host_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tune::telemetry {

namespace {

constexpr const char* kNoSeries = "not recorded";

enum class Of { mean, least, most };

struct Direct {
  const char *id, *unit;
  Of of;
};
constexpr std::array<Direct, 46> kDirect = {
    {{"cpu_busy_ratio", "ratio", Of::mean},
     {"cpu_system_ratio", "ratio", Of::mean},
     {"io_wait_ratio", "ratio", Of::mean},
     {"steal_ratio", "ratio", Of::mean},
     {"psi_cpu_ratio", "ratio", Of::mean},
     {"psi_io_ratio", "ratio", Of::mean},
     {"psi_memory_ratio", "ratio", Of::mean},
     {"cgroup_throttled_ratio", "ratio", Of::mean},
     {"cpu_clock", "Hz", Of::mean},
     {"cpu_throttle_rate", "1/s", Of::mean},
     {"cpu_temperature", "degC", Of::most},
     {"free_memory_bytes", "B", Of::least},
     {"swap_in_rate", "B/s", Of::mean},
     {"swap_out_rate", "B/s", Of::mean},
     {"disk_read_rate", "B/s", Of::mean},
     {"disk_write_rate", "B/s", Of::mean},
     {"disk_iops", "1/s", Of::mean},
     {"disk_busy_ratio", "ratio", Of::mean},
     {"network_receive_rate", "B/s", Of::mean},
     {"network_send_rate", "B/s", Of::mean},
     {"worker_cores", "CPUs", Of::mean},
     {"worker_read_rate", "B/s", Of::mean},
     {"worker_write_rate", "B/s", Of::mean},
     {"thread_count", "count", Of::most},
     {"resident_bytes", "B", Of::most},
     {"context_switch_rate", "1/s", Of::mean},
     {"minor_fault_rate", "1/s", Of::mean},
     {"major_fault_rate", "1/s", Of::mean},
     {"gpu_util_ratio", "ratio", Of::mean},
     {"gpu_memory_util_ratio", "ratio", Of::mean},
     {"gpu_memory_bytes", "B", Of::most},
     {"gpu_power", "W", Of::mean},
     {"gpu_temperature", "degC", Of::most},
     {"gpu_power_capped_ratio", "ratio", Of::mean},
     {"gpu_thermally_slowed_ratio", "ratio", Of::mean},
     {"gpu_pcie_receive_rate", "B/s", Of::mean},
     {"gpu_sm_util_ratio", "ratio", Of::mean},
     {"gpu_sm_occupancy_ratio", "ratio", Of::mean},
     {"gpu_tensor_ratio", "ratio", Of::mean},
     {"gpu_dram_ratio", "ratio", Of::mean},
     {"foreign_gpu_process_count", "count", Of::most},
     {"foreign_gpu_utilisation_ratio", "ratio", Of::most},
     {"gpu_power_cap_time_ratio", "ratio", Of::mean},
     {"gpu_power_brake_time_ratio", "ratio", Of::mean},
     {"gpu_software_thermal_time_ratio", "ratio", Of::mean},
     {"gpu_hardware_thermal_time_ratio", "ratio", Of::mean}}};

// A number, or why there is none.
struct Known {
  std::optional<double> value;
  std::string reason;
};

Known mean_of(const TrialTelemetry& telemetry, const char* id) {
  const SeriesSummary* const series = telemetry.find(id);
  if (series == nullptr) {
    return {std::nullopt, kNoSeries};
  }
  return {series->mean, series->reason};
}

HostMetric direct(const TrialTelemetry& telemetry, const Direct& row) {
  HostMetric metric{row.id, row.unit, std::nullopt, kNoSeries};
  if (const SeriesSummary* const series = telemetry.find(row.id)) {
    metric.value = row.of == Of::mean    ? series->mean
                   : row.of == Of::least ? series->min
                                         : series->max;
    metric.reason = series->reason;
  }
  return metric;
}

HostMetric quotient(const char* id, const Known& above, const Known& below) {
  HostMetric metric{id, "ratio", std::nullopt, ""};
  if (!above.value || !below.value) {
    metric.reason = above.value ? below.reason : above.reason;
  } else if (*below.value <= 0) {
    metric.reason = "nothing to compare with: it is 0";
  } else {
    metric.value = *above.value / *below.value;
  }
  return metric;
}

HostMetric other_cpus(const TrialTelemetry& telemetry) {
  const Known busy = mean_of(telemetry, "cpu_busy_ratio");
  const Known own = mean_of(telemetry, "worker_cores");
  HostMetric metric{"other_cpu_cores", "CPUs", std::nullopt, ""};
  if (!busy.value || !own.value) {
    metric.reason = busy.value ? own.reason : busy.reason;
  } else {
    const double used = *busy.value * static_cast<double>(telemetry.cpus);
    metric.value = std::max(0.0, used - *own.value);
  }
  return metric;
}

// 1 - a / b.
HostMetric shortfall(const char* id, const Known& now, const Known& most) {
  HostMetric metric = quotient(id, now, most);
  if (metric.value) {
    metric.value = 1 - *metric.value;
  }
  return metric;
}

// The share of the window in which the power limit lowered the clock. The driver's own counter
// covers all of it; without one, each reading represents the time to the next.
HostMetric power_cap(const TrialTelemetry& telemetry) {
  const Known counted = mean_of(telemetry, "gpu_power_cap_time_ratio");
  const Known read = mean_of(telemetry, "gpu_power_capped_ratio");
  return {"power_cap_ratio",
          "ratio",
          counted.value ? counted.value : read.value,
          counted.value || read.value ? "" : read.reason};
}

void add_halves(const TrialTelemetry& telemetry, std::vector<HostMetric>& metrics) {
  const SeriesSummary* const reads = telemetry.find("disk_read_rate");
  std::array<double, 2> sums{};
  std::array<double, 2> counts{};
  if (reads != nullptr && reads->mean && telemetry.window) {
    constexpr double kNano = 1e-9;
    const auto at = [&](std::int64_t ns) {
      return static_cast<double>(ns - telemetry.start_ns) * kNano;
    };
    const double begin = at(telemetry.window->begin_ns), end = at(telemetry.window->end_ns);
    for (std::size_t i = 0; i < reads->curve.size(); ++i) {
      const double time = telemetry.times_s[i];
      if (time > begin && time <= end && std::isfinite(reads->curve[i])) {
        const std::size_t half = time > (begin + end) / 2 ? 1 : 0;
        sums[half] += reads->curve[i];
        ++counts[half];
      }
    }
  }
  const std::string reason =
      reads == nullptr
          ? kNoSeries
          : (reads->reason.empty() ? "the window is too short for halves" : reads->reason);
  constexpr std::array<const char*, 2> kIds = {"early_read_rate", "late_read_rate"};
  for (std::size_t half = 0; half < 2; ++half) {
    HostMetric metric{kIds[half], "B/s", std::nullopt, reason};
    if (counts[0] > 0 && counts[1] > 0) {
      metric.value = sums[half] / counts[half];
      metric.reason.clear();
    }
    metrics.push_back(std::move(metric));
  }
}

}  // namespace

std::vector<HostMetric> host_metrics(const TrialTelemetry& telemetry) {
  constexpr std::size_t kDerived = 9;
  std::vector<HostMetric> metrics;
  metrics.reserve(kDirect.size() + kDerived);
  for (const Direct& row : kDirect) {
    metrics.push_back(direct(telemetry, row));
  }
  const auto mean = [&](const char* id) { return mean_of(telemetry, id); };
  metrics.push_back(other_cpus(telemetry));
  metrics.push_back(quotient("run_delay_ratio", mean("run_delay_cores"), mean("worker_cores")));
  metrics.push_back(
      quotient("system_time_ratio", mean("worker_system_cores"), mean("worker_cores")));
  metrics.push_back(quotient("cpu_frequency_ratio", mean("cpu_clock"), mean("cpu_base_clock")));
  add_halves(telemetry, metrics);
  metrics.push_back(
      shortfall("sm_clock_drop_ratio", mean("gpu_sm_clock"), mean("gpu_max_sm_clock")));
  metrics.push_back(quotient("power_draw_ratio", mean("gpu_power"), mean("gpu_power_limit")));
  metrics.push_back(power_cap(telemetry));
  return metrics;
}

CellTelemetry combine(const std::vector<NamedTelemetry>& trials) {
  CellTelemetry cell;
  for (const NamedTelemetry& trial : trials) {
    const std::vector<HostMetric> metrics = host_metrics(trial.telemetry);
    cell.metrics.resize(metrics.size());
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      CellMetric& all = cell.metrics[i];
      all.id = metrics[i].id;
      all.unit = metrics[i].unit;
      if (metrics[i].value) {
        all.values.push_back(*metrics[i].value);
      } else if (all.reason.empty()) {
        all.reason = metrics[i].reason;
      }
    }
  }
  cell.trials = static_cast<std::int64_t>(trials.size());
  if (!trials.empty()) {
    cell.curves_of = trials.back().trial;
    cell.example = trials.back().telemetry;
  }
  return cell;
}

}  // namespace tune::telemetry
