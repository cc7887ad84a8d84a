#include "trace/table/step_table.h"

#include "trace/role.h"
#include "trace/runtime_calls.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tune::table {

namespace {

using profile::Category;
using profile::Role;

constexpr auto kLoading = static_cast<std::size_t>(Role::data_loading);
constexpr std::array<const char*, profile::kRoles> kTitles = {
    "Kernel", "Communication", "Memcpy", "Memset", "Runtime", "Data loading", "CPU op", "Other"};

struct Counts {
  std::int64_t kernels = 0, launches = 0;
};

// Events and steps are both by start, and steps do not overlap.
std::vector<Counts> count_by_step(const TableInput& input) {
  const profile::Timeline& timeline = input.timeline;
  const auto& steps = input.partition.steps.steps;
  std::vector<Counts> counts(steps.size());
  std::vector<signed char> is_launch(timeline.strings.size(), -1);
  std::size_t step = 0;
  for (const profile::Event& event : timeline.events) {
    while (step < steps.size() && steps[step].interval.end_ns <= event.start_ns) {
      ++step;
    }
    if (step == steps.size()) {
      break;
    }
    if (event.start_ns < steps[step].interval.begin_ns) {
      continue;
    }
    if (event.category == Category::kernel) {
      ++counts[step].kernels;
    } else if (profile::is_device_call(event.category)) {
      if (is_launch[event.name] < 0) {
        is_launch[event.name] =
            profile::call_kind_of(timeline.name(event)) == profile::CallKind::launch ? 1 : 0;
      }
      counts[step].launches += is_launch[event.name];
    }
  }
  return counts;
}

void add_columns(Table& table, std::size_t first_role, bool has_devices) {
  table.columns = {{"step", "Step"}, {"duration", "Duration", Quantity::time_ns}};
  for (std::size_t role = first_role; role < profile::kRoles; ++role) {
    const std::string id(profile::role_name(static_cast<Role>(role)));
    table.columns.push_back(
        {id, kTitles[role], Quantity::time_ns, static_cast<int>(profile::kRoles - role)});
  }
  if (has_devices) {
    table.columns.push_back({"kernels", "Kernels", Quantity::count});
    table.columns.push_back({"launches", "Launches", Quantity::count});
  }
  table.columns.push_back({"batch_wait", "Batch wait", Quantity::time_ns});
}

}  // namespace

Table step_table(const TableInput& input) {
  Table table{.id = "steps", .title = "Steps"};
  const profile::Partition& partition = input.partition;
  if (partition.parts.empty()) {
    table.reason = "the trace has no row of work";
    return table;
  }
  const bool has_devices = partition.has_device_rows;
  const std::size_t first_role =
      has_devices ? 0 : static_cast<std::size_t>(profile::kFirstHostRole);
  add_columns(table, first_role, has_devices);
  const bool has_loader = partition.rows[kLoading] > 0;
  const std::vector<Counts> counts = count_by_step(input);
  table.rows.reserve(partition.parts.size());
  for (std::size_t i = 0; i < partition.parts.size(); ++i) {
    const profile::Step& step = partition.steps.steps[i];
    const profile::StepPartition& parts = partition.parts[i];
    Row row = {step.name, step.interval.length_ns()};
    row.insert(row.end(),
               parts.exposed_ns.begin() + static_cast<std::ptrdiff_t>(first_role),
               parts.exposed_ns.end());
    if (has_devices) {
      row.insert(row.end(), {Cell(counts[i].kernels), Cell(counts[i].launches)});
    }
    row.emplace_back();
    if (has_loader) {
      row.back() = parts.exposed_ns[kLoading] + parts.overlapped_ns[kLoading];
    }
    table.rows.push_back(std::move(row));
  }
  if (const std::string& rows = partition.steps.inferred_from; !rows.empty()) {
    table.notes.push_back("no step is marked (ProfilerStep#N): inferred from " + rows);
  }
  if (!partition.steps.are_known) {
    table.notes.emplace_back("no step is marked (ProfilerStep#N): the whole trace is one");
  }
  if (!has_devices) {
    table.notes.emplace_back(
        "no columns of devices: the trace has no row of one, nor of calls into one");
  }
  if (!has_loader) {
    table.notes.emplace_back("batch wait is not known: no row is called enumerate(DataLoader)#...");
  }
  return table;
}

}  // namespace tune::table
