// Where the time of a trace goes, step by step.

#include "base/units.h"
#include "report/number_text.h"
#include "report/recorded_steps.h"
#include "report/role_bars.h"
#include "report/role_lanes.h"
#include "report/trace_notes.h"
#include "report/trace_sections.h"
#include "report/what_if_text.h"
#include "trace/metric/host_syncs.h"
#include "trace/metric/idle_time.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;
using profile::Partition;
using profile::Role;

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

// A trace of the CPU has no parts of a device, and many a trace has no communication.
bool is_shown(const Partition& partition, std::size_t role) {
  return role >= profile::kRolesOfRows || partition.rows[role] > 0;
}

std::vector<Markup> time_drawings(const profile::Partition& partition) {
  std::vector<Markup> drawings;
  drawings.reserve(2);
  RoleBar bar{.label = partition.steps.are_known ? "a mean step" : "the whole trace",
              .exposed_ns = mean_exposed_ns(partition)};
  if (auto bars = role_bars({"partition", "A mean step in its parts", {std::move(bar)}})) {
    drawings.push_back(std::move(*bars));
  }
  if (auto lanes = role_lanes({.id = "lanes",
                               .title = "Exposed and overlapped time of each part, of all steps",
                               .exposed_ns = partition.total.exposed_ns,
                               .overlapped_ns = partition.total.overlapped_ns})) {
    drawings.push_back(std::move(*lanes));
  }
  return drawings;
}

Table parts_table(const Partition& partition) {
  Table table{.caption = "Parts of a step",
              .columns = {{"where the time goes"},
                          {"mean per step", Align::right},
                          {"of steps", Align::right},
                          {"overlapped", Align::right}}};
  const auto steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(partition.parts.size()));
  std::int64_t sum_ns = 0;
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    const std::int64_t exposed_ns = partition.total.exposed_ns[role];
    const std::int64_t overlapped_ns = partition.total.overlapped_ns[role];
    sum_ns += exposed_ns;
    if (is_shown(partition, role)) {
      table.rows.push_back({std::string(profile::role_name(static_cast<Role>(role))),
                            format_time(exposed_ns / steps),
                            fine_share(exposed_ns, partition),
                            fine_share(overlapped_ns, partition)});
    }
  }
  table.rows.push_back({"step", format_time(sum_ns / steps), fine_share(sum_ns, partition), ""});
  return table;
}

Table calls_table(const TraceAnalysis& analysis) {
  const auto& runtime = analysis.input.runtime;
  Table table{.caption = "Calls of the devices' library, by what they are for",
              .columns = {{"calls of the runtime"},
                          {"calls", Align::right},
                          {"host time", Align::right},
                          {"exposed, of steps", Align::right}}};
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
      "the longest time without work for the device: " + format_time(longest.interval.length_ns()) +
      ", " + format_time(since_ns) + " after the first row; " + row);
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

std::vector<std::string> remarks_on(const TraceAnalysis& analysis) {
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
    remarks.push_back(unfinished_words(partition.steps));
  }
  return remarks;
}

}  // namespace

Section trace_parts_section(const TraceAnalysis& analysis) {
  Section section{.title = "Where the time goes"};
  const Partition& partition = analysis.input.partition;
  std::vector<Markup> drawings = time_drawings(partition);
  if (drawings.empty()) {
    return section
        .add(Sentence{"Not known: " + metric::why_no_steps(analysis.input) + "."}, kInHtml)
        .add(parts_table(partition), kAsLines | kInMarkdown);
  }
  return section
      .add(Figure{.drawings = std::move(drawings),
                  .caption = "Above: a mean step, or the trace where none is marked, in its parts, "
                             "which sum to it. A moment belongs to the first part that has "
                             "anything at it. Below: of each part, filled what is exposed, "
                             "outlined what parts above it hide. Only exposed time can be gained.",
                  .numbers_title = "Numbers",
                  .numbers = parts_table(partition)},
           kInHtml)
      .add(parts_table(partition), kAsLines | kInMarkdown);
}

Section trace_calls_section(const TraceAnalysis& analysis) {
  Section section{.title = "Calls of the runtime"};
  Table calls = calls_table(analysis);
  return calls.rows.empty() ? section : section.add(std::move(calls));
}

Section trace_remarks_section(const TraceAnalysis& analysis) {
  Section section{.title = "Remarks"};
  std::vector<std::string> remarks = remarks_on(analysis);
  return remarks.empty() ? section : section.add(List{std::move(remarks)});
}

}  // namespace tune::report
