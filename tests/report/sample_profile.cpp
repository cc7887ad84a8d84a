#include "sample_profile.h"

#include <string>
#include <utility>

namespace tune::report {

namespace {

using campaign::ProfiledCell;
using profile::Role;

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSteps = 5;

struct Parts {
  std::int64_t data_loading_ms, cpu_op_ms, other_ms;
  std::int64_t step_ms() const { return data_loading_ms + cpu_op_ms + other_ms; }
};

// The loader first, then operators with a gap in their middle.
void cover(profile::Partition& partition, const Parts& parts, std::int64_t begin_ns) {
  const std::int64_t loaded_ns = begin_ns + parts.data_loading_ms * kMs;
  const std::int64_t half_ns = parts.cpu_op_ms * kMs / 2;
  const std::int64_t gap_ns = parts.other_ms * kMs;
  partition.covered[static_cast<std::size_t>(Role::data_loading)].push_back({begin_ns, loaded_ns});
  auto& computing = partition.covered[static_cast<std::size_t>(Role::cpu_op)];
  computing.push_back({loaded_ns, loaded_ns + half_ns});
  computing.push_back({loaded_ns + half_ns + gap_ns, loaded_ns + 2 * half_ns + gap_ns});
}

profile::Partition partition_of(const Parts& parts) {
  profile::StepPartition step;
  step.exposed_ns[static_cast<std::size_t>(Role::data_loading)] = parts.data_loading_ms * kMs;
  step.exposed_ns[static_cast<std::size_t>(Role::cpu_op)] = parts.cpu_op_ms * kMs;
  step.exposed_ns[static_cast<std::size_t>(Role::other)] = parts.other_ms * kMs;
  profile::Partition partition;
  for (std::int64_t i = 0; i < kSteps; ++i) {
    const std::int64_t begin_ns = i * parts.step_ms() * kMs;
    partition.steps.steps.push_back({.name = "ProfilerStep#" + std::to_string(i + 3),
                                     .interval = {begin_ns, begin_ns + parts.step_ms() * kMs}});
    partition.parts.push_back(step);
    cover(partition, parts, begin_ns);
    for (std::size_t role = 0; role < profile::kRoles; ++role) {
      partition.total.exposed_ns[role] += step.exposed_ns[role];
    }
  }
  partition.steps.are_known = true;
  return partition;
}

table::Table operators(const std::vector<std::pair<std::string, std::int64_t>>& step_us) {
  table::Table table;
  table.id = "operators";
  table.title = "Operators";
  table.columns = {
      {.id = "name", .title = "Name"},
      {.id = "self_cpu_time_total", .title = "Self CPU", .quantity = table::Quantity::time_ns},
      {.id = "count", .title = "# of Calls", .quantity = table::Quantity::count}};
  for (const auto& [name, us] : step_us) {
    table.rows.push_back({name, us * 1000 * kSteps, 20 * kSteps});
  }
  return table;
}

ProfiledCell profiled(const std::string& cell, const Parts& parts, table::Table table) {
  ProfiledCell found;
  found.cell = cell;
  found.trial = "confirm1-" + cell;
  found.stage = "confirm";
  found.file =
      "/home/user/tune-runs/resnet18-20260301T101500Z/trials/" + found.trial + "/trace.json.gz";
  found.outcome.step_ns.assign(kSteps, parts.step_ms() * kMs);
  found.outcome.events = 4'321;
  found.outcome.file = "trace.json.gz";
  found.profiled_step_s = static_cast<double>(parts.step_ms()) * 1e-3;
  found.dilation = 1.008;
  found.measured_step_s = *found.profiled_step_s / *found.dilation;
  campaign::TraceNumbers& trace = found.trace.emplace();
  trace.partition = partition_of(parts);
  trace.metrics = {
      {"partition_data_loading_ratio",
       {.value = static_cast<double>(parts.data_loading_ms) / static_cast<double>(parts.step_ms()),
        .n = kSteps,
        .unit = "ratio"}}};
  trace.tables.push_back(std::move(table));
  return found;
}

}  // namespace

std::vector<ProfiledCell> sample_profiles(const campaign::CampaignResult& result) {
  std::vector<ProfiledCell> profiles = {
      profiled("baseline",
               {.data_loading_ms = 180, .cpu_op_ms = 540, .other_ms = 12},
               operators({{"aten::mkldnn_convolution", 210'400},
                          {"aten::convolution_backward", 246'100},
                          {"aten::native_batch_norm", 31'200}}))};
  if (result.confirmation) {
    profiles.push_back(profiled(result.confirmation->cell,
                                {.data_loading_ms = 1, .cpu_op_ms = 331, .other_ms = 9},
                                operators({{"aten::mkldnn_convolution", 120'700},
                                           {"aten::convolution_backward", 151'900}})));
  }
  return profiles;
}

}  // namespace tune::report
