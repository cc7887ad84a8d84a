#include "report/machine_text.h"

#include "report/number_text.h"
#include "report/quantity_text.h"
#include "stats/quantile.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tune::report {

namespace {

using telemetry::CellMetric;
using telemetry::CellTelemetry;

struct Row {
  const char *id, *label;
};
constexpr std::array<Row, 26> kRows = {{{"cpu_busy_ratio", "CPUs busy"},
                                        {"worker_cores", "CPUs that the worker used"},
                                        {"other_cpu_cores", "CPUs that others used"},
                                        {"steal_ratio", "stolen by the hypervisor"},
                                        {"run_delay_ratio", "waiting for a CPU, of CPU time"},
                                        {"system_time_ratio", "CPU time in the kernel"},
                                        {"cgroup_throttled_ratio", "stopped by the CPU quota"},
                                        {"io_wait_ratio", "CPUs waiting for a disk"},
                                        {"context_switch_rate", "context switches"},
                                        {"minor_fault_rate", "page faults"},
                                        {"resident_bytes", "worker's memory, at most"},
                                        {"free_memory_bytes", "free memory, at least"},
                                        {"swap_in_rate", "read from swap"},
                                        {"disk_read_rate", "read from disks"},
                                        {"disk_busy_ratio", "busiest disk"},
                                        {"network_receive_rate", "received from the network"},
                                        {"cpu_clock", "CPU clock"},
                                        {"cpu_temperature", "CPU, at most"},
                                        {"gpu_util_ratio", "GPU busy"},
                                        {"gpu_sm_util_ratio", "SMs busy"},
                                        {"gpu_memory_bytes", "GPU memory, at most"},
                                        {"gpu_power", "GPU power"},
                                        {"gpu_temperature", "GPU, at most"},
                                        {"sm_clock_drop_ratio", "GPU clock below its highest"},
                                        {"gpu_power_capped_ratio", "GPU slowed by its power limit"},
                                        {"gpu_thermally_slowed_ratio", "GPU slowed by heat"}}};

const CellMetric* find(const CellTelemetry& cell, const char* id) {
  const auto at = std::find_if(
      cell.metrics.begin(), cell.metrics.end(), [&](const auto& each) { return each.id == id; });
  return at == cell.metrics.end() ? nullptr : &*at;
}

}  // namespace

std::vector<MachineRow> machine_rows(const campaign::CampaignResult& result) {
  std::vector<MachineRow> rows;
  for (const Row& row : kRows) {
    MachineRow texts{row.label, {}};
    bool is_seen = false;
    for (const CellTelemetry& cell : result.telemetry) {
      const CellMetric* const metric = find(cell, row.id);
      const bool has_value = metric != nullptr && !metric->values.empty();
      is_seen = is_seen || has_value;
      texts.texts.push_back(has_value ? quantity_text(stats::median(metric->values), metric->unit)
                                      : "not measured");
    }
    if (is_seen) {
      rows.push_back(std::move(texts));
    }
  }
  return rows;
}

std::vector<std::string> machine_notes(const campaign::CampaignResult& result) {
  std::vector<std::string> notes;
  for (const CellTelemetry& cell : result.telemetry) {
    if (!cell.reason.empty()) {
      notes.push_back(cell.cell + ": telemetry is missing: " + cell.reason);
    }
  }
  const auto seen = std::find_if(result.telemetry.begin(),
                                 result.telemetry.end(),
                                 [](const auto& cell) { return cell.trials > 0; });
  if (seen == result.telemetry.end()) {
    return notes;
  }
  std::map<std::string, std::string> missing;  // reason -> what lacks for it
  for (const Row& row : kRows) {
    const CellMetric* const metric = find(*seen, row.id);
    if (metric != nullptr && metric->values.empty()) {
      std::string& labels = missing[metric->reason];
      labels += labels.empty() ? "" : ", ";
      labels += row.id;
    }
  }
  for (const auto& [reason, ids] : missing) {
    std::string note = "not measured: ";
    note += ids;
    note += " (" + reason + ")";
    notes.push_back(std::move(note));
  }
  notes.push_back(
      "medians over the trials of what was read in their measured windows; the reading took " +
      share_text(seen->example.cpu_ratio) + " of one CPU");
  return notes;
}

}  // namespace tune::report
