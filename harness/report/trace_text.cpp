#include "report/trace_text.h"

#include "base/units.h"
#include "metric/host_syncs.h"
#include "metric/idle_time.h"
#include "report/number_text.h"
#include "report/what_if_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

namespace tune::report {

namespace {

using profile::Partition;
using profile::Role;

constexpr double kWorthNamingRatio = 0.005;

double share(std::int64_t ns, const Partition& partition) {
  return partition.total_ns() > 0
             ? static_cast<double>(ns) / static_cast<double>(partition.total_ns())
             : 0;
}

// Two places, as tables of this kind are compared elsewhere: 63.21 %.
std::string fine_share(std::int64_t ns, const Partition& partition) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f %%", share(ns, partition) * 100);
  return text.data();
}

bool is_applicable(const Partition& partition, std::size_t role) {
  return partition.has_device_rows || role >= static_cast<std::size_t>(profile::kFirstHostRole);
}

std::string role_remark(const Partition& partition, std::size_t role) {
  if (!is_applicable(partition, role)) {
    return "not applicable: rows of the CPU alone";
  }
  return role < profile::kRolesOfRows && partition.rows[role] == 0 ? "no rows" : "";
}

// The nearest whole number that fits: sums over a broken trace may not.
std::int64_t whole(double value) {
  constexpr double kMost = 9e18;
  return std::llround(std::clamp(value, -kMost, kMost));
}

std::string metric_remark(const metric::Metric& metric) {
  std::string remark;
  if (metric.id == "gpu_busy_ratio") {
    remark = *metric.value >= kHealthyBusyRatio ? "healthy" : "healthy from 90 %";
  }
  for (const std::string& warning : metric.warnings) {
    remark += (remark.empty() ? "" : ", ") + warning;
  }
  return remark;
}

bool is_of_partition(const metric::Metric& metric) {
  return metric.id.starts_with("partition_");
}

// What a glance needs: is the device busy, and if not, who keeps it waiting.
bool is_of_overview(const metric::Metric& metric) {
  constexpr std::array<std::string_view, 15> kIds = {"step_time",
                                                     "step_time_cv",
                                                     "gpu_busy_ratio",
                                                     "sm_efficiency",
                                                     "tensor_core_ratio",
                                                     "data_wait_ratio",
                                                     "idle_host_wait_ratio",
                                                     "launch_queue_p95",
                                                     "short_kernel_ratio",
                                                     "kernel_count",
                                                     "operator_count",
                                                     "h2d_exposed_ratio",
                                                     "idle_after_sync_ratio",
                                                     "communication_exposed_ratio",
                                                     "peak_memory_ratio"};
  return std::find(kIds.begin(), kIds.end(), metric.id) != kIds.end();
}

// Where to look first when a device is silent.
void add_longest_gap(const TraceAnalysis& analysis, std::vector<std::string>& remarks) {
  const std::vector<metric::LongGap> gaps = metric::long_gaps(analysis.input);
  if (gaps.empty() || analysis.input.timeline.events.empty()) {
    return;
  }
  const metric::LongGap& longest = gaps.front();
  const std::int64_t since_ns =
      longest.interval.begin_ns - analysis.input.timeline.events.front().start_ns;
  const std::string row = longest.host_row.empty()
                              ? "no row of the host covers it: add ranges (record_function)"
                              : "the host was in " + longest.host_row;
  remarks.push_back(
      "the longest silence of a device: " + format_time(longest.interval.length_ns()) + ", " +
      format_time(since_ns) + " after the first row; " + row);
}

void add_scalar_syncs(const TraceAnalysis& analysis, std::vector<std::string>& remarks) {
  const std::vector<metric::ScalarSync> syncs = metric::scalar_syncs(analysis.input);
  if (syncs.empty()) {
    return;
  }
  const metric::ScalarSync& worst = syncs.front();
  const std::string by = worst.host_row.empty() ? "" : " by " + worst.host_row;
  remarks.push_back("a number was read from the device" + by + " " + counted(worst.count, "time") +
                    "; the host waited " + format_time(worst.blocked_ns) + " for it");
}

}  // namespace

std::string value_text(const metric::Metric& metric) {
  constexpr double kNsPerSecond = 1e9;
  const double value = *metric.value;
  if (metric.unit == "ratio") {
    return share_text(value);
  }
  if (metric.unit == "s") {
    return format_time(whole(value * kNsPerSecond));
  }
  if (metric.unit == "B" || metric.unit == "B/s") {
    const std::string sign = value < 0 ? "-" : "";
    return sign + format_bytes(whole(std::abs(value))) + (metric.unit == "B/s" ? "/s" : "");
  }
  return number_text(value);
}

std::string trace_headline(const TraceAnalysis& analysis) {
  const Partition& partition = analysis.input.partition;
  if (partition.total_ns() == 0) {
    return "no step: " + metric::why_no_steps(analysis.input);
  }
  std::vector<std::size_t> roles(profile::kRoles);
  std::iota(roles.begin(), roles.end(), std::size_t{0});
  const auto& exposed = partition.total.exposed_ns;
  std::stable_sort(roles.begin(), roles.end(), [&exposed](std::size_t a, std::size_t b) {
    return exposed[a] > exposed[b];
  });
  constexpr std::size_t kNamed = 3;
  std::string text = partition.steps.are_marked
                         ? counted(static_cast<std::int64_t>(partition.steps.steps.size()), "step")
                         : "no step is marked; the whole trace";
  text += ", " + format_time(partition.total_ns()) + ":";
  for (std::size_t i = 0; i < kNamed; ++i) {
    const double ratio = share(exposed[roles[i]], partition);
    if (ratio >= kWorthNamingRatio) {
      text += std::string(i > 0 ? ", " : " ") +
              std::string(profile::role_name(static_cast<Role>(roles[i]))) + " " +
              share_text(ratio);
    }
  }
  return text + " of the time";
}

TextTable partition_table(const TraceAnalysis& analysis) {
  const Partition& partition = analysis.input.partition;
  TextTable table{.heading = {"where the time goes", "per step", "of steps", "overlapped", ""},
                  .last_is_text = true};
  const auto steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(partition.parts.size()));
  std::int64_t sum_ns = 0;
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    const std::int64_t exposed_ns = partition.total.exposed_ns[role];
    const std::int64_t overlapped_ns = partition.total.overlapped_ns[role];
    const bool shown = is_applicable(partition, role);
    sum_ns += exposed_ns;
    table.rows.push_back({std::string(profile::role_name(static_cast<Role>(role))),
                          shown ? format_time(exposed_ns / steps) : "-",
                          shown ? fine_share(exposed_ns, partition) : "-",
                          shown ? fine_share(overlapped_ns, partition) : "-",
                          role_remark(partition, role)});
  }
  table.rows.push_back(
      {"step", format_time(sum_ns / steps), fine_share(sum_ns, partition), "", ""});
  return table;
}

TextTable runtime_table(const TraceAnalysis& analysis) {
  const auto& runtime = analysis.input.runtime;
  TextTable table{.heading = {"calls of the runtime", "calls", "host time", "exposed, of steps"}};
  for (std::size_t kind = 0; kind < profile::kCallKinds; ++kind) {
    if (runtime.calls[kind] > 0 || runtime.exposed_ns[kind] > 0) {
      table.rows.push_back(
          {std::string(profile::call_kind_name(static_cast<profile::CallKind>(kind))),
           grouped(runtime.calls[kind]),
           format_time(runtime.host_ns[kind]),
           fine_share(runtime.exposed_ns[kind], analysis.input.partition)});
    }
  }
  return table;
}

std::vector<std::string> trace_remarks(const TraceAnalysis& analysis) {
  const Partition& partition = analysis.input.partition;
  const auto& runtime = analysis.input.runtime;
  std::vector<std::string> remarks;
  const std::int64_t blocked_ns = runtime.blocked_during_kernels_ns +
                                  runtime.blocked_during_copies_ns + runtime.blocked_for_nothing_ns;
  if (blocked_ns > 0) {
    remarks.push_back("while the host was blocked (" + format_time(blocked_ns) +
                      "): kernels ran for " + format_time(runtime.blocked_during_kernels_ns) +
                      ", copies for " + format_time(runtime.blocked_during_copies_ns) +
                      ", nothing for " + format_time(runtime.blocked_for_nothing_ns));
  }
  if (partition.rows[static_cast<std::size_t>(Role::communication)] > 0) {
    remarks.push_back("communication that no kernel hides: " +
                      share_text(share(partition.communication_beside_kernels_ns, partition)) +
                      " of steps; copies that neither hides: " +
                      share_text(share(partition.copies_beside_both_ns, partition)));
  }
  if (std::string line = bound_line(analysis); !line.empty()) {
    remarks.push_back(std::move(line));
  }
  for (std::string& line : what_if_lines(analysis)) {
    remarks.push_back(std::move(line));
  }
  add_longest_gap(analysis, remarks);
  add_scalar_syncs(analysis, remarks);
  if (partition.device_tail_ns > 0) {
    remarks.push_back("after the end of the last step devices worked for " +
                      format_time(partition.device_tail_ns) + " more; it belongs to no step");
  }
  if (partition.steps.unfinished > 0) {
    remarks.push_back(counted(partition.steps.unfinished, "step") +
                      " did not fit into --memory whole and are not counted");
  }
  return remarks;
}

TextTable metric_table(const TraceAnalysis& analysis, MetricChoice choice) {
  TextTable table{.heading = {"metric", "value", ""}, .last_is_text = true};
  for (const metric::Metric& metric : analysis.metrics) {
    const bool is_chosen = choice == MetricChoice::all || is_of_overview(metric);
    if (metric.is_applicable() && !is_of_partition(metric) && is_chosen) {
      table.rows.push_back({metric.id, value_text(metric), metric_remark(metric)});
    }
  }
  return table;
}

std::vector<std::string> unknown_lines(const TraceAnalysis& analysis) {
  struct Unknown {
    std::string ids, reason;
    std::size_t metrics = 0;
  };
  constexpr std::size_t kNamed = 3;
  std::vector<Unknown> by_reason;
  for (const metric::Metric& metric : analysis.metrics) {
    if (metric.is_applicable()) {
      continue;
    }
    auto known = std::find_if(by_reason.begin(), by_reason.end(), [&](const Unknown& unknown) {
      return unknown.reason == metric.reason;
    });
    if (known == by_reason.end()) {
      known = by_reason.insert(known, {.ids = "", .reason = metric.reason});
    }
    if (known->metrics < kNamed) {
      known->ids += (known->metrics > 0 ? ", " : "") + metric.id;
    }
    ++known->metrics;
  }
  std::vector<std::string> lines;
  lines.reserve(by_reason.size());
  for (const Unknown& unknown : by_reason) {
    std::string line = unknown.ids;
    if (unknown.metrics > kNamed) {
      line += " and " + std::to_string(unknown.metrics - kNamed) + " more";
    }
    lines.push_back(line + ": " + unknown.reason);
  }
  return lines;
}

std::string reading_line(const TraceAnalysis& analysis) {
  const profile::ReadCost& cost = analysis.input.timeline.cost;
  constexpr double kMega = 1e6;
  const double seconds = static_cast<double>(std::max<std::int64_t>(analysis.read_ns, 1)) * 1e-9;
  const std::string packed = cost.compression == "none" ? "" : " (" + cost.compression + ")";
  return grouped(cost.rows) + " rows, " +
         number_text(static_cast<double>(cost.json_bytes) / kMega) + " MB of JSON" + packed +
         " in " + format_time(analysis.read_ns) + ": " +
         grouped(static_cast<std::int64_t>(static_cast<double>(cost.rows) / seconds)) +
         " rows/s, " + number_text(static_cast<double>(cost.json_bytes) / kMega / seconds) +
         " MB/s";
}

}  // namespace tune::report
