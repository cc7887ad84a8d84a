#include "cli/trace_answer.h"

#include "cli/terminal.h"
#include "report/diagnosis_text.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/render_blocks.h"
#include "report/table_text.h"
#include "report/trace_comparison.h"
#include "report/trace_notes.h"
#include "report/trace_sections.h"
#include "trace/table/cell_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace tune::cli {

ExitCode show_comparison(const AnalyzeRequest& request,
                         const report::TraceComparison& comparison,
                         report::AnalysisRecord record,
                         nlohmann::ordered_json trace) {
  record.headline = comparison.headline;
  record.metrics = comparison.metrics;
  const std::string json = report::to_analysis_json(record, std::move(trace));
  const std::filesystem::path directory = record.directory;
  if (!request.dry_run) {
    write_analysis(directory,
                   {.json = json,
                    .markdown = report::to_markdown(comparison),
                    .html = report::to_comparison_html(comparison, record)});
  }
  if (request.as_json) {
    std::cout << json;
  } else {
    constexpr std::size_t kMostRows = 15;
    const Terminal terminal = look_at(STDOUT_FILENO, request.color);
    const std::size_t width = terminal.is_terminal ? terminal.width : report::kAnyWidth;
    std::cout << report::to_lines(comparison, width, kMostRows) << report_line(directory)
              << bold(terminal, one_line(comparison.headline)) << '\n';
  }
  print_warnings(request, record.warnings);
  return ExitCode::fine;
}

namespace {

std::string block(const std::string& text) {
  return text.empty() ? "" : text + "\n";
}

std::string block(const report::Section& section) {
  return block(report::to_lines(section.blocks, report::kInTerminal));
}

std::string lines(const std::string& title, const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) {
    text += (title.empty() ? "" : "  ") + one_line(line) + "\n";
  }
  return text.empty() ? "" : block((title.empty() ? "" : title + "\n") + text);
}

std::string devices(const profile::Timeline& timeline) {
  if (timeline.devices.empty()) {
    return "";
  }
  return ", " + one_line(table::device_names(timeline));
}

std::string rank(const profile::RankInfo& info) {
  if (!info.rank) {
    return "";
  }
  const std::string of = info.world_size ? " of " + std::to_string(*info.world_size) : "";
  return ", rank " + std::to_string(*info.rank) + of + " (" + info.source + ")";
}

// The reports give every reason.
std::string unknown_block(const report::TraceAnalysis& analysis, bool is_verbose) {
  if (is_verbose) {
    return lines("not known", report::unknown_lines(analysis));
  }
  const auto unknown = std::count_if(analysis.metrics.begin(),
                                     analysis.metrics.end(),
                                     [](const auto& metric) { return !metric.is_applicable(); });
  return unknown == 0
             ? ""
             : block("not known: " + std::to_string(unknown) + " of " +
                     report::counted(std::ssize(analysis.metrics), "metric") + "; -v says why\n");
}

constexpr std::size_t kShownRecommendations = 3;

// Doubts first: they are about all that follows.
std::string advice_block(const report::TraceAnalysis& analysis) {
  if (analysis.diagnosis == nullptr) {
    return "";
  }
  const result::Result said = report::trace_advice(analysis);
  const std::size_t all = said.recommendations.size();
  std::string title = "recommendations, predicted from the trace and not measured; they do not add";
  if (all > kShownRecommendations) {
    title +=
        " (the first " + std::to_string(kShownRecommendations) + " of " + std::to_string(all) + ")";
  }
  return lines("warnings", report::doubt_lines(said)) +
         lines(title, report::recommendation_lines(said, kShownRecommendations)) +
         lines("other findings", report::other_finding_lines(said)) +
         block(report::count_words(said) + "\n");
}

}  // namespace

std::string trace_answer(const report::TraceAnalysis& analysis,
                         const Terminal& terminal,
                         bool is_verbose) {
  const profile::Timeline& timeline = analysis.input.timeline;
  std::string text = one_line(timeline.file) + devices(timeline) + rank(timeline.rank) + "\n\n";
  text += advice_block(analysis);
  text += block(report::trace_script_section(analysis));
  text += block(report::trace_parts_section(analysis));
  text += block(report::trace_calls_section(analysis));
  text += block(report::trace_remarks_section(analysis));
  text += block(report::trace_utilisation_section(analysis));
  for (const report::Table& top : report::top_tables(analysis)) {
    text += top.rows.empty() ? "" : block(report::to_lines(top));
  }
  text += unknown_block(analysis, is_verbose);
  const std::string reading = "reading: " + report::reading_line(analysis);
  const std::vector<std::string> notes = report::note_lines(analysis, is_verbose);
  text += notes.empty() ? block(reading + "\n") : lines(reading, notes);
  text += report_line(analysis.directory);
  const std::string headline = report::trace_headline(analysis);
  const std::string answer = report::trace_answer_words(analysis);
  text += answer == headline ? "" : headline + "\n";
  text += bold(terminal, answer) + "\n";
  return text;
}

}  // namespace tune::cli
