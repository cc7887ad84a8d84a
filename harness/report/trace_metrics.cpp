// How well devices are used, every metric of a trace, and what could not be known.

#include "report/chart_scale.h"
#include "report/number_text.h"
#include "report/svg.h"
#include "report/trace_sections.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

/// From here on the TensorBoard plugin and Nsight call a device well used.
constexpr double kHealthyBusyRatio = 0.9;

constexpr double kWidth = 960, kEdge = 12, kLeft = 250, kRight = 700, kText = 712;
constexpr double kTop = 30, kPitch = 30, kHeight = 18, kBottom = 8;
constexpr std::size_t kLongestLabel = 36;
constexpr LinearScale kX{.low = 0, .high = 1, .from = kLeft, .to = kRight};

/// How much of something was used, 0-1; larger values are drawn as 1.
struct UtilisationBar {
  std::string label;
  double ratio = 0;
  std::optional<double> healthy_from;  ///< marked, and said in words
};

bool is_healthy(const UtilisationBar& bar) {
  return bar.healthy_from && bar.ratio >= *bar.healthy_from;
}

std::string reading_of(const UtilisationBar& bar) {
  std::string text = share_text(bar.ratio);
  if (bar.healthy_from) {
    const std::string limit = share_text(*bar.healthy_from);
    text += (is_healthy(bar) ? ", healthy: from " : ", healthy would be from ") + limit;
  }
  return text;
}

void draw_bar(Drawing& drawing, const UtilisationBar& bar, double y) {
  drawing.group(bar.label + ": " + reading_of(bar));
  drawing.text({kEdge, y + 14}, shortened(bar.label, kLongestLabel), Colour::ink, {.size = 12});
  const Colour colour = !bar.healthy_from ? Colour::transfer
                        : is_healthy(bar) ? Colour::better
                                          : Colour::worse;
  drawing.rect({kLeft, y, kX.at(bar.ratio) - kLeft, kHeight}, colour);
  if (bar.healthy_from) {
    const double x = kX.at(*bar.healthy_from);
    drawing.line({x, y - 4}, {x, y + kHeight + 4}, Colour::ink, 2, Drawing::Line::dashed);
  }
  drawing.text({kText, y + 14}, reading_of(bar), Colour::ink, {.size = 12});
  drawing.ungroup();
}

// Bars from 0 to 100 %. Nothing without a bar.
std::optional<Markup> utilisation_bars(const std::vector<UtilisationBar>& bars) {
  if (bars.empty()) {
    return std::nullopt;
  }
  std::string description;
  for (const UtilisationBar& bar : bars) {
    description += (description.empty() ? "" : "; ") + bar.label;
    description += ": " + reading_of(bar);
  }
  const double bottom = kTop + kPitch * static_cast<double>(bars.size());
  Drawing drawing({.id = "utilisation",
                   .title = "How much of the devices was used",
                   .description = description + ".",
                   .width = kWidth,
                   .height = bottom + kBottom});
  draw_percent_columns(drawing, kX, kTop, bottom);
  double y = kTop + 2;
  for (const UtilisationBar& bar : bars) {
    draw_bar(drawing, bar, y);
    y += kPitch;
  }
  return drawing.finished();
}

std::vector<UtilisationBar> utilisation(const TraceAnalysis& analysis) {
  constexpr std::size_t kMostDevices = 16;
  const profile::Partition& partition = analysis.input.partition;
  std::vector<UtilisationBar> bars;
  const auto add = [&](const char* id, const char* label, std::optional<double> healthy_from) {
    const metric::Metric* const metric = find_metric(analysis, id);
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

std::string metric_remark(const metric::Metric& metric) {
  std::string remark;
  if (metric.id == "gpu_busy_ratio") {
    remark = *metric.value >= kHealthyBusyRatio ? "healthy" : "healthy from 90 %";
  } else if (metric.id == "step_time" && metric.warnings.empty()) {
    remark = "median";
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
  constexpr std::array<std::string_view, 16> kIds = {"step_time",
                                                     "step_time_cv",
                                                     "gpu_busy_ratio",
                                                     "sm_efficiency",
                                                     "tensor_core_ratio",
                                                     "mfu",
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

Table metric_table(const TraceAnalysis& analysis, bool (*is_chosen)(const metric::Metric& metric)) {
  Table table{.columns = {{"metric"}, {"value", Table::Align::right}, {""}}};
  for (const metric::Metric& metric : analysis.metrics) {
    if (metric.is_applicable() && !is_of_partition(metric) && is_chosen(metric)) {
      table.rows.push_back(
          {metric.id, value_text(*metric.value, metric.unit), metric_remark(metric)});
    }
  }
  return table;
}

}  // namespace

Section trace_utilisation_section(const TraceAnalysis& analysis) {
  Section section{.title = "How well the devices are used"};
  if (const auto drawing = utilisation_bars(utilisation(analysis))) {
    section.add(Figure{{*drawing},
                       "Busy: a kernel, copy or fill runs, of all steps; from 90 % on a device is "
                       "called well used. Estimates come from the sizes of grids, and kernels of "
                       "tensor cores run well at a low occupancy."},
                kInHtml);
  } else {
    const metric::Metric* const busy = find_metric(analysis, "gpu_busy_ratio");
    section.add(Sentence{"Not known: " +
                         (busy == nullptr ? "it was not asked" : one_line(busy->reason)) + "."},
                kInHtml);
  }
  Table few = metric_table(analysis, is_of_overview);
  if (!few.rows.empty()) {
    few.caption = "Metrics for a glance";
    section.add(std::move(few), kAsLines | kInHtml);
  }
  Table all = metric_table(analysis, [](const metric::Metric&) { return true; });
  if (!all.rows.empty()) {
    all.caption = "Metrics; what cannot be known is listed below";
    section.add(all, kInMarkdown)
        .add(Folded{"All metrics that have a value: " + std::to_string(all.rows.size()), {{all}}},
             kInHtml);
  }
  return section;
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

Section trace_unknown_section(const TraceAnalysis& analysis) {
  Section section{.title = "What could not be known, and why"};
  std::vector<std::string> lines = unknown_lines(analysis);
  if (lines.empty()) {
    return section.add(Sentence{"Every metric has a value."}, kInHtml);
  }
  section.add(List{shown_lines(lines)}, kInHtml);
  return section.add(List{std::move(lines)}, kAsLines | kInMarkdown);
}

}  // namespace tune::report
