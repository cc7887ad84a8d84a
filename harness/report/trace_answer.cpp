// What the page of a trace says first: headline, tiles, what makes its numbers worth less.

#include "base/text.h"
#include "base/units.h"
#include "report/diagnosis_text.h"
#include "report/number_text.h"
#include "report/trace_notes.h"
#include "report/trace_sections.h"
#include "trace/table/cell_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using profile::Partition;
using profile::Role;

constexpr std::size_t kLongestName = 120, kLongestDoubt = 600;
constexpr double kWorthNamingRatio = 0.005;

struct Tile {
  const char *metric, *name, *detail;
};

Card tile_of(const TraceAnalysis& analysis, const Tile& wanted) {
  const metric::Metric* const metric = find_metric(analysis, wanted.metric);
  if (metric == nullptr || !metric->is_applicable()) {
    return {wanted.name, {"not known"}, metric == nullptr ? "" : one_line(metric->reason)};
  }
  return {wanted.name, {value_text(*metric->value, metric->unit)}, wanted.detail};
}

std::string devices_text(const profile::Timeline& timeline) {
  if (timeline.devices.empty()) {
    return "";
  }
  return shortened(table::device_names(timeline), kLongestName) + ". ";
}

std::string rank_text(const profile::RankInfo& info) {
  if (!info.rank) {
    return "";
  }
  const std::string of = info.world_size ? " of " + std::to_string(*info.world_size) : "";
  return "Rank " + std::to_string(*info.rank) + of + " (from " + info.source + "). ";
}

// First what the reader doubts, then the rules about validity.
std::vector<std::string> trace_doubts(const TraceAnalysis& analysis) {
  std::vector<std::string> lines = trust_lines(analysis);
  if (analysis.diagnosis != nullptr) {
    for (const std::string& line : doubt_lines(trace_advice(analysis))) {
      lines.push_back(shortened(line, kLongestDoubt));
    }
  }
  return lines;
}

}  // namespace

const metric::Metric* find_metric(const TraceAnalysis& analysis, std::string_view id) {
  const auto found = std::find_if(analysis.metrics.begin(),
                                  analysis.metrics.end(),
                                  [id](const metric::Metric& metric) { return metric.id == id; });
  return found == analysis.metrics.end() ? nullptr : &*found;
}

std::string trace_name(const TraceAnalysis& analysis) {
  return shortened(std::filesystem::path(analysis.input.timeline.file).filename().string(),
                   kLongestName);
}

std::string trace_headline(const TraceAnalysis& analysis) {
  const Partition& partition = analysis.input.partition;
  if (partition.total_ns() == 0) {
    return "No step: " + metric::why_no_steps(analysis.input);
  }
  std::vector<std::size_t> roles(profile::kRoles);
  std::iota(roles.begin(), roles.end(), std::size_t{0});
  const auto& exposed = partition.total.exposed_ns;
  std::stable_sort(roles.begin(), roles.end(), [&exposed](std::size_t a, std::size_t b) {
    return exposed[a] > exposed[b];
  });
  constexpr std::size_t kNamed = 3;
  std::string text = partition.steps.are_known
                         ? counted(static_cast<std::int64_t>(partition.steps.steps.size()), "step")
                         : "No step is marked; the whole trace";
  const std::string& rows = partition.steps.inferred_from;
  text += rows.empty() ? "" : " (inferred from " + rows + ")";
  text += ", " + format_time(partition.total_ns()) + ":";
  for (std::size_t i = 0; i < kNamed; ++i) {
    const double ratio =
        static_cast<double>(exposed[roles[i]]) / static_cast<double>(partition.total_ns());
    if (ratio >= kWorthNamingRatio) {
      text += std::string(i > 0 ? ", " : " ") +
              std::string(profile::role_name(static_cast<Role>(roles[i]))) + " " +
              share_text(ratio);
    }
  }
  // What others hide of a part is not in these shares, but is in data_wait_ratio, for example.
  const auto& overlapped = partition.total.overlapped_ns;
  const bool is_hidden = std::any_of(
      overlapped.begin(), overlapped.end(), [](std::int64_t hidden_ns) { return hidden_ns > 0; });
  return text + (is_hidden ? " of the time, exposed" : " of the time");
}

std::string trace_answer_words(const TraceAnalysis& analysis) {
  constexpr double kIdleRatio = 0.1, kWaitRatio = 0.05;
  if (analysis.diagnosis == nullptr) {
    return trace_headline(analysis);
  }
  std::vector<std::string> parts;
  const auto value_of = [&](const char* id) -> std::optional<double> {
    const metric::Metric* const found = find_metric(analysis, id);
    return found != nullptr && found->is_applicable() ? found->value : std::nullopt;
  };
  const auto busy = value_of("gpu_busy_ratio"), wait = value_of("data_wait_ratio");
  if (busy && 1 - *busy >= kIdleRatio) {
    parts.push_back("the GPU is idle " + share_text(1 - *busy) + " of the time");
  }
  if (wait && *wait >= kWaitRatio) {
    parts.push_back("waiting for data costs " + share_text(*wait) + " of a step");
  }
  const result::Result said = trace_advice(analysis);
  if (const auto ranked = by_proof(said); !ranked.empty()) {
    parts.push_back("first: " + ranked.front()->title + " (" +
                    gain_words(ranked.front()->predicted) + ")");
  }
  if (parts.empty()) {
    return trace_headline(analysis);
  }
  std::string& begin = parts.front();
  begin.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(begin.front())));
  return joined(parts, "; ");
}

Section trace_answer_section(const TraceAnalysis& analysis) {
  const profile::Timeline& timeline = analysis.input.timeline;
  Section section{.title = "tune analyze: " + trace_name(analysis), .is_begin = true};
  section.add(Headline{trace_answer_words(analysis)})
      .add(Sentence{trace_headline(analysis) + "."})
      .add(Sentence{.text = devices_text(timeline) + rank_text(timeline.rank) + "Analysed " +
                            one_line(analysis.started_utc) + ".",
                    .is_quiet = true});
  Cards tiles;
  for (const Tile& wanted :
       {Tile{"step_time", "step time", "median step, with the profiler's own cost in it"},
        Tile{"gpu_busy_ratio", "device busy", "of the steps; healthy from 90 %"},
        Tile{"data_wait_ratio", "waiting for data", "of the steps, hidden or not"},
        Tile{"peak_allocated_bytes", "peak memory", "allocated on the fullest device"}}) {
    tiles.cards.push_back(tile_of(analysis, wanted));
  }
  return section.add(std::move(tiles))
      .add(Doubts{.items = trace_doubts(analysis), .are_all_shown = true});
}

}  // namespace tune::report
