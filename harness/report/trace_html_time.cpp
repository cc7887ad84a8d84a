// Sections that say where the time goes and how well devices are used.

#include "base/units.h"
#include "report/device_use_bars.h"
#include "report/diagnosis_text.h"
#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "report/recorded_steps.h"
#include "report/role_bars.h"
#include "report/role_lanes.h"
#include "report/step_plot.h"
#include "report/table_html.h"
#include "report/trace_notes.h"
#include "report/trace_sections.h"
#include "report/trace_text.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace tune::report {

namespace {

constexpr std::size_t kLongestName = 120, kLongestDoubt = 600;

const metric::Metric* find(const TraceAnalysis& analysis, std::string_view id) {
  const auto found = std::find_if(analysis.metrics.begin(),
                                  analysis.metrics.end(),
                                  [id](const metric::Metric& metric) { return metric.id == id; });
  return found == analysis.metrics.end() ? nullptr : &*found;
}

struct Tile {
  const char *metric, *name, *detail;
};

Markup metric_tile(const TraceAnalysis& analysis, const Tile& wanted) {
  const metric::Metric* const metric = find(analysis, wanted.metric);
  if (metric == nullptr || !metric->is_applicable()) {
    return tile(wanted.name, "not known", metric == nullptr ? "" : one_line(metric->reason));
  }
  return tile(wanted.name, value_text(*metric), wanted.detail);
}

std::string devices_text(const profile::Timeline& timeline) {
  if (timeline.devices.empty()) {
    return "";
  }
  const std::size_t count = timeline.devices.size();
  return (count > 1 ? std::to_string(count) + " x " : "") +
         shortened(timeline.devices.front().name, kLongestName) + ". ";
}

std::string rank_text(const profile::RankInfo& info) {
  if (!info.rank) {
    return "";
  }
  const std::string of = info.world_size ? " of " + std::to_string(*info.world_size) : "";
  return "Rank " + std::to_string(*info.rank) + of + ", says the " + info.source + ". ";
}

std::vector<Markup> time_drawings(const profile::Partition& partition) {
  std::vector<Markup> drawings;
  drawings.reserve(2);
  RoleBar bar{.label = partition.steps.are_marked ? "a mean step" : "the whole trace",
              .exposed_ns = mean_exposed_ns(partition)};
  if (auto bars = role_bars({"partition", "A mean step in its parts", {std::move(bar)}})) {
    drawings.push_back(std::move(*bars));
  }
  if (auto lanes = role_lanes(
          lanes_of(partition, "lanes", "Exposed and overlapped time of each part, of all steps"))) {
    drawings.push_back(std::move(*lanes));
  }
  return drawings;
}

std::vector<UtilisationBar> utilisation(const TraceAnalysis& analysis) {
  constexpr std::size_t kMostDevices = 16;
  const profile::Partition& partition = analysis.input.partition;
  std::vector<UtilisationBar> bars;
  const auto add = [&](const char* id, const char* label, std::optional<double> healthy_from) {
    const metric::Metric* const metric = find(analysis, id);
    if (metric != nullptr && metric->is_applicable()) {
      bars.push_back({label, *metric->value, healthy_from});
    }
  };
  const bool has_several = partition.device_busy.size() > 1;
  add("gpu_busy_ratio",
      has_several ? "device busy, mean of all" : "device busy",
      kHealthyBusyRatio);
  if (has_several && partition.total_ns() > 0) {
    const profile::Intervals steps = partition.steps.covered();
    for (const auto& [device, work] : partition.device_busy) {
      if (bars.size() <= kMostDevices) {
        const std::int64_t busy_ns = length_ns(profile::intersect(steps, work));
        bars.push_back({"device " + std::to_string(device) + " busy",
                        static_cast<double>(busy_ns) / static_cast<double>(partition.total_ns()),
                        kHealthyBusyRatio});
      }
    }
  }
  add("sm_efficiency", "multiprocessors with work (est.)", std::nullopt);
  add("occupancy", "occupancy while kernels run (est.)", std::nullopt);
  add("tensor_core_ratio", "tensor cores, of eligible time", std::nullopt);
  return bars;
}

// First what the reader doubts, then the rules about validity.
std::vector<std::string> trace_doubts(const TraceAnalysis& analysis) {
  std::vector<std::string> lines = trust_lines(analysis);
  if (analysis.diagnosis != nullptr) {
    for (const std::string& line : doubt_lines(*analysis.diagnosis)) {
      lines.push_back(shortened(line, kLongestDoubt));
    }
  }
  return lines;
}

}  // namespace

std::string trace_name(const TraceAnalysis& analysis) {
  return shortened(std::filesystem::path(analysis.input.timeline.file).filename().string(),
                   kLongestName);
}

Markup trace_answer_section(const TraceAnalysis& analysis) {
  const profile::Timeline& timeline = analysis.input.timeline;
  Markup html;
  html.open("header").line();
  html.leaf("h1", "tune analyze: " + trace_name(analysis)).line();
  html.leaf("p", trace_headline(analysis), {{"class", "headline"}, {"id", "headline"}}).line();
  html.append(paragraph(devices_text(timeline) + rank_text(timeline.rank) + "Analysed " +
                            one_line(analysis.started_utc) + ".",
                        "quiet"));
  html.open("dl", {{"class", "tiles"}}).line();
  for (const Tile& wanted :
       {Tile{"step_time", "step time", "median step, with the profiler's own cost in it"},
        Tile{"gpu_busy_ratio", "device busy", "of the steps; healthy from 90 %"},
        Tile{"data_wait_ratio", "waiting for data", "of the steps, hidden or not"},
        Tile{"peak_allocated_bytes", "peak memory", "allocated on the fullest device"}}) {
    html.append(metric_tile(analysis, wanted));
  }
  html.close().line();
  html.append(trust_banner(trace_doubts(analysis)));
  html.close().line();
  return html;
}

Markup trace_time_section(const TraceAnalysis& analysis) {
  Markup html;
  html.section("Where the time goes");
  const std::vector<Markup> drawings = time_drawings(analysis.input.partition);
  if (drawings.empty()) {
    html.append(paragraph("Not known: " + metric::why_no_steps(analysis.input) + "."));
    return html.close().line();
  }
  html.append(figure(
      drawings,
      "Above: a mean step, or the trace where none is marked, in its parts, which sum to it. "
      "Below: of each part, filled what is "
      "exposed, outlined what parts above it hide. Only exposed time can be gained."));
  html.append(table_html(partition_table(analysis), "Parts of a step"));
  html.append(paragraph(
      "A moment belongs to the first row of this table that has anything at it, so the parts sum "
      "to the step. Overlapped time is hidden by rows above.",
      "quiet"));
  if (const TextTable calls = runtime_table(analysis); !calls.rows.empty()) {
    html.append(table_html(calls, "Calls of the devices' library, by what they are for"));
  }
  html.append(bullets(trace_remarks(analysis)));
  return html.close().line();
}

Markup trace_utilisation_section(const TraceAnalysis& analysis) {
  Markup html;
  html.section("How well the devices are used");
  if (const auto drawing = utilisation_bars(utilisation(analysis))) {
    html.append(figure({*drawing},
                       "Busy: a kernel, copy or fill runs, of all steps; from 90 % on a device is "
                       "called well used. Estimates come from the sizes of grids, and kernels of "
                       "tensor cores run well at a low occupancy."));
  } else {
    const metric::Metric* const busy = find(analysis, "gpu_busy_ratio");
    html.append(paragraph(
        "Not known: " + (busy == nullptr ? "it was not asked" : one_line(busy->reason)) + "."));
  }
  if (const TextTable few = metric_table(analysis, MetricChoice::overview); !few.rows.empty()) {
    html.append(table_html(few, "Metrics for a glance"));
  }
  const TextTable all = metric_table(analysis, MetricChoice::all);
  if (!all.rows.empty()) {
    html.append(folded("All metrics that have a value: " + std::to_string(all.rows.size()),
                       table_html(all, "Metrics; what cannot be known is listed below")));
  }
  return html.close().line();
}

Markup trace_steps_section(const TraceAnalysis& analysis) {
  constexpr std::size_t kMostSteps = 200;
  const auto& steps = analysis.input.partition.steps;
  Markup html;
  html.section("Steps");
  if (const auto plot = step_plot(steps.steps)) {
    const bool is_grouped = steps.steps.size() > kMostColumns;
    html.append(figure({*plot},
                       is_grouped
                           ? "Each column is the longest of several steps that follow each other."
                           : "Each column is a step as the host marked it."));
  }
  for (table::Table table : analysis.tables) {
    if (table.id == "steps") {
      table::keep_top(table, kMostSteps);
      const Markup rows = table_html(table, "Parts of each step: exposed time, summing to it");
      html.append(table.rows.size() > 10 ? folded("Each step in its parts", rows) : rows);
    }
  }
  return html.close().line();
}

}  // namespace tune::report
