#include "trace/table/kernel_table.h"

#include "trace/kernel_names.h"
#include "trace/table/cell_text.h"
#include "trace/table/table_input.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tune::table {

namespace {

using profile::Category;
using profile::kNone;
using profile::StringId;

// A mean weighted by duration, over the rows that have a value.
struct WeightedMean {
  double weighted = 0, weight = 0;

  void add(double value, std::int64_t duration_ns) {
    if (std::isfinite(value)) {
      weighted += value * static_cast<double>(duration_ns);
      weight += static_cast<double>(duration_ns);
    }
  }
  Cell cell() const { return weight > 0 ? Cell(weighted / weight) : Cell(); }
};

struct Kernels {
  StringId name = 0;
  TimeSums times;
  WeightedMean blocks_per_sm, occupancy;
};

// By kernel name and operator name.
using OperatorTimes = std::unordered_map<std::uint64_t, std::int64_t>;

std::string tensor_core_text(std::string_view name) {
  switch (profile::tensor_core_use(name)) {
    case profile::TensorCoreUse::yes:
      return "yes";
    case profile::TensorCoreUse::no:
      return "no";
    case profile::TensorCoreUse::unknown:
      break;
  }
  return "unknown";
}

// By index of the kernel's row: its operator.
std::vector<Cell> operator_cells(const TableInput& input,
                                 const OperatorTimes& times,
                                 std::size_t kernels) {
  struct Most {
    StringId name = 0;
    std::int64_t ns = -1, operators = 0;
  };
  std::vector<Most> most(kernels);
  for (const auto& [key, ns] : times) {
    Most& of_kernel = most[key >> 32];
    const auto name = static_cast<StringId>(key);
    ++of_kernel.operators;
    if (ns > of_kernel.ns || (ns == of_kernel.ns && name < of_kernel.name)) {
      of_kernel.name = name;
      of_kernel.ns = ns;
    }
  }
  std::vector<Cell> cells;
  cells.reserve(kernels);
  for (const Most& of_kernel : most) {
    std::string text(input.timeline.strings.text(of_kernel.name));
    if (of_kernel.operators > 1) {
      text += " and " + std::to_string(of_kernel.operators - 1) + " more";
    }
    cells.push_back(of_kernel.operators > 0 ? Cell(std::move(text)) : Cell());
  }
  return cells;
}

std::vector<Kernels> sum_kernels(const TableInput& input, OperatorTimes& operator_times) {
  const profile::Timeline& timeline = input.timeline;
  std::vector<Kernels> rows;
  std::vector<std::uint32_t> row_of(timeline.strings.size(), kNone);
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const profile::Event& event = timeline.events[i];
    if (event.category != Category::kernel) {
      continue;
    }
    if (row_of[event.name] == kNone) {
      row_of[event.name] = static_cast<std::uint32_t>(rows.size());
      rows.push_back({.name = event.name});
    }
    const std::uint32_t index = row_of[event.name];
    rows[index].times.add(event.duration_ns);
    if (const profile::KernelDetail* const detail = timeline.kernel(event)) {
      rows[index].blocks_per_sm.add(detail->blocks_per_sm, event.duration_ns);
      rows[index].occupancy.add(detail->occupancy_ratio, event.duration_ns);
    }
    const std::uint32_t issuing = issuing_operator(input, i);
    if (issuing != kNone) {
      operator_times[std::uint64_t{index} << 32 | timeline.events[issuing].name] +=
          event.duration_ns;
    }
  }
  return rows;
}

}  // namespace

Table kernel_table(const TableInput& input) {
  Table table{.id = "kernels", .title = "Kernels"};
  OperatorTimes operator_times;
  const std::vector<Kernels> rows = sum_kernels(input, operator_times);
  if (rows.empty()) {
    table.reason = "the trace has no kernel: no device ran any, or they were not recorded (" +
                   device_activity(input.timeline) + ")";
    return table;
  }
  table.columns = {{"name", "Name"},
                   {"total_time", "Total", Quantity::time_ns},
                   {"time_ratio", "Share", Quantity::ratio},
                   {"count", "Calls", Quantity::count},
                   {"mean_time", "Mean", Quantity::time_ns, 1},
                   {"min_time", "Min", Quantity::time_ns, 6},
                   {"max_time", "Max", Quantity::time_ns, 5},
                   {"blocks_per_sm", "Blocks per SM", Quantity::number, 4},
                   {"occupancy_ratio", "Est. occupancy", Quantity::ratio, 3},
                   {"tensor_cores", "Tensor cores", Quantity::text, 2},
                   {"operator", "Operator"}};
  std::int64_t all_ns = 0;
  for (const Kernels& kernels : rows) {
    all_ns += kernels.times.total_ns;
  }
  const std::vector<Cell> operators = operator_cells(input, operator_times, rows.size());
  table.rows.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TimeSums& times = rows[i].times;
    const std::string name(input.timeline.strings.text(rows[i].name));
    table.rows.push_back({name,
                          times.total_ns,
                          share(times.total_ns, all_ns),
                          times.count,
                          times.mean_ns(),
                          times.least_ns,
                          times.most_ns,
                          rows[i].blocks_per_sm.cell(),
                          rows[i].occupancy.cell(),
                          tensor_core_text(name),
                          operators[i]});
  }
  sort_rows(table, "total_time");
  table.notes.push_back("Kernel time total, streams added up: " + time_text(all_ns));
  return table;
}

}  // namespace tune::table
