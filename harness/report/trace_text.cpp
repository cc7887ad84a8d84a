#include "report/trace_text.h"

#include "base/units.h"
#include "report/number_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

namespace tune::report {

namespace {

using profile::NoteClass;
using profile::NoteKind;
using profile::Partition;
using profile::Role;

constexpr double kHealthyBusyRatio = 0.9;  // what the TensorBoard plugin and Nsight call healthy
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

// 1234567 -> "1,234,567".
std::string grouped(std::int64_t count) {
  std::string text = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
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

std::string value_text(const metric::Metric& metric) {
  if (metric.unit == "ratio") {
    return share_text(*metric.value);
  }
  constexpr double kNsPerSecond = 1e9;
  return metric.unit == "s" ? format_time(static_cast<std::int64_t>(*metric.value * kNsPerSecond))
                            : number_text(*metric.value);
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

std::string class_name(NoteClass of_class) {
  return of_class == NoteClass::dropped    ? "dropped"
         : of_class == NoteClass::repaired ? "repaired"
                                           : "skipped";
}

}  // namespace

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

TextTable metric_table(const TraceAnalysis& analysis) {
  TextTable table{.heading = {"metric", "value", ""}, .last_is_text = true};
  for (const metric::Metric& metric : analysis.metrics) {
    if (metric.is_applicable() && !is_of_partition(metric)) {
      table.rows.push_back({metric.id, value_text(metric), metric_remark(metric)});
    }
  }
  return table;
}

std::vector<std::string> unknown_lines(const TraceAnalysis& analysis) {
  std::vector<std::pair<std::string, std::string>> by_reason;
  for (const metric::Metric& metric : analysis.metrics) {
    if (metric.is_applicable()) {
      continue;
    }
    const auto known = std::find_if(by_reason.begin(), by_reason.end(), [&](const auto& entry) {
      return entry.second == metric.reason;
    });
    if (known == by_reason.end()) {
      by_reason.emplace_back(metric.id, metric.reason);
    } else {
      known->first += ", " + metric.id;
    }
  }
  std::vector<std::string> lines;
  lines.reserve(by_reason.size());
  for (const auto& [ids, reason] : by_reason) {
    lines.push_back(ids + ": " + reason);
  }
  return lines;
}

std::vector<std::string> note_lines(const TraceAnalysis& analysis) {
  const profile::ReaderNotes& notes = analysis.input.timeline.notes;
  std::vector<std::string> lines = notes.warnings();
  for (std::size_t i = 0; i < profile::kNoteKinds; ++i) {
    const auto kind = static_cast<NoteKind>(i);
    const profile::Note& note = notes.of(kind);
    if (note.count > 0) {
      const std::string place =
          note.first_offset >= 0 && profile::note_class(kind) != NoteClass::skipped
              ? ", the first at byte " + std::to_string(note.first_offset) + " of the JSON"
              : "";
      lines.push_back(class_name(profile::note_class(kind)) + ": " +
                      std::string(profile::note_text(kind)) + ": " + grouped(note.count) + place);
    }
  }
  for (const auto& [category, count] : notes.other_categories()) {
    lines.push_back("unused: rows of category " + category + ": " + grouped(count));
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
