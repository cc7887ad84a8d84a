// What the machine did while trials ran.

#include "report/headline.h"
#include "report/machine_curves.h"
#include "report/number_text.h"
#include "report/quantity_text.h"
#include "report/run_sections.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestNote = 400;

constexpr const char* kCaption =
    "One trial of each setting from its start to its end, with equal scales. Each line is the "
    "mean since the reading before; the measured window is shaded, and a bar below it marks the "
    "recorded steps where that trial has some.";

struct Row {
  const char *id, *label;
};
constexpr std::array<Row, 29> kRows = {{{"cpu_busy_ratio", "CPUs busy"},
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
                                        {"mfu", "GPU's peak used by the model (MFU)"},
                                        {"gpu_memory_bytes", "GPU memory, at most"},
                                        {"gpu_power", "GPU power"},
                                        {"energy_per_sample", "GPU energy a sample"},
                                        {"epoch_cost", "price of an epoch"},
                                        {"gpu_temperature", "GPU, at most"},
                                        {"sm_clock_drop_ratio", "GPU clock below its highest"},
                                        {"gpu_power_capped_ratio", "GPU slowed by its power limit"},
                                        {"gpu_thermally_slowed_ratio", "GPU slowed by heat"}}};

/// Numbers that trials of one setting gave, by id.
using Numbers = std::map<std::string_view, const result::Number*>;

Numbers numbers_of(const result::Result& result, const result::Telemetry& cell) {
  Numbers numbers;
  for (const result::Metric& metric : result.metrics) {
    if (metric.cell == cell.cell && metric.window == cell.stage) {
      numbers.emplace(metric.id, &metric.number);
    }
  }
  return numbers;
}

const result::Number* find(const Numbers& numbers, const char* id) {
  const auto found = numbers.find(id);
  return found == numbers.end() ? nullptr : found->second;
}

// Without what no setting has.
Table numbers_table(const result::Result& result) {
  Table table{.caption = "Medians over the trials, in their measured windows",
              .columns = {{"machine"}}};
  std::vector<Numbers> cells;
  for (const result::Telemetry& cell : result.telemetry) {
    table.columns.push_back({drawn_name(result, cell.cell), Table::Align::right});
    cells.push_back(numbers_of(result, cell));
  }
  for (const Row& row : kRows) {
    std::vector<std::string> texts = {row.label};
    bool is_seen = false;
    for (const Numbers& numbers : cells) {
      const result::Number* const number = find(numbers, row.id);
      const bool has_value = number != nullptr && number->value;
      is_seen = is_seen || has_value;
      texts.push_back(has_value ? quantity_text(*number->value, number->unit) : "not measured");
    }
    if (is_seen) {
      table.rows.push_back(std::move(texts));
    }
  }
  return table;
}

std::string not_measured(const std::string& ids, const std::string& reason) {
  return "not measured: " + ids + " (" + reason + ")";
}

// What could not be seen and why, what the reading cost.
std::vector<std::string> notes_about(const result::Result& result) {
  std::vector<std::string> notes;
  for (const result::Telemetry& cell : result.telemetry) {
    if (!cell.reason.empty()) {
      notes.push_back(shortened(
          drawn_name(result, cell.cell) + ": telemetry is missing: " + cell.reason, kLongestNote));
    }
  }
  const auto seen = std::find_if(result.telemetry.begin(),
                                 result.telemetry.end(),
                                 [](const auto& cell) { return cell.trials > 0; });
  if (seen == result.telemetry.end()) {
    return notes;
  }
  std::map<std::string, std::string> missing;  // reason -> what lacks for it
  const Numbers numbers = numbers_of(result, *seen);
  for (const Row& row : kRows) {
    const result::Number* const number = find(numbers, row.id);
    if (number != nullptr && !number->value) {
      std::string& ids = missing[number->reason];
      ids += (ids.empty() ? "" : ", ") + std::string(row.id);
    }
  }
  for (const auto& [reason, ids] : missing) {
    notes.push_back(shortened(not_measured(ids, reason), kLongestNote));
  }
  notes.push_back(
      "medians over the trials of what was read in their measured windows; the reading took " +
      share_text(seen->cpu_ratio.value_or(0)) + " of one CPU");
  return notes;
}

void add_curves(const campaign::CampaignResult& result, Section& section) {
  if (auto curves = machine_curves(result); !curves.empty()) {
    section.add(Figure{std::move(curves), kCaption});
  }
  section.add(List{curves_not_drawn(result)}, kInHtml);
}

}  // namespace

Section run_machine_section(const Run& run) {
  Section section{.title = "Machine during the run"};
  const result::Result& result = run.result;
  if (result.telemetry.empty()) {
    return section;
  }
  if (run.directory != nullptr) {
    add_curves(*run.directory, section);
  }
  Table numbers = numbers_table(result);
  const bool is_seen = !numbers.rows.empty();
  return section.add(std::move(numbers), is_seen ? kEverywhere : kInMarkdown)
      .add(List{notes_about(result)});
}

}  // namespace tune::report
