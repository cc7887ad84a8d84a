#include "cli/trace_answer.h"

#include "report/diagnosis_text.h"
#include "report/markup.h"
#include "report/trace_notes.h"
#include "report/trace_text.h"
#include "report/trace_top.h"

#include <filesystem>

namespace tune::cli {

namespace {

std::string block(const std::string& text) {
  return text.empty() ? "" : text + "\n";
}

std::string table(const report::TextTable& content) {
  return content.rows.empty() ? "" : block(report::to_lines(content));
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
  const std::string first = one_line(timeline.devices.front().name);
  const std::size_t count = timeline.devices.size();
  return ", " + (count > 1 ? std::to_string(count) + " x " : "") + first;
}

std::string rank(const profile::RankInfo& info) {
  if (!info.rank) {
    return "";
  }
  const std::string of = info.world_size ? " of " + std::to_string(*info.world_size) : "";
  return ", rank " + std::to_string(*info.rank) + of + " (" + info.source + ")";
}

constexpr std::size_t kShownRecommendations = 3;

// Doubts first: they are about all that follows.
std::string advice_block(const report::TraceAnalysis& analysis) {
  if (analysis.diagnosis == nullptr) {
    return "";
  }
  const advice::Diagnosis& diagnosis = *analysis.diagnosis;
  const std::size_t all = diagnosis.recommendations.size();
  std::string title = "recommendations, predicted from the trace and not measured; they do not add";
  if (all > kShownRecommendations) {
    title +=
        " (the first " + std::to_string(kShownRecommendations) + " of " + std::to_string(all) + ")";
  }
  return lines("doubts", report::doubt_lines(diagnosis)) +
         lines(title, report::recommendation_lines(diagnosis, kShownRecommendations)) +
         lines("other findings", report::other_finding_lines(diagnosis)) +
         block(report::count_words(diagnosis) + "\n");
}

}  // namespace

std::string trace_answer(const report::TraceAnalysis& analysis, const Terminal& terminal) {
  const profile::Timeline& timeline = analysis.input.timeline;
  std::string text = one_line(timeline.file) + devices(timeline) + rank(timeline.rank) + "\n\n";
  text += table(report::partition_table(analysis));
  text += table(report::runtime_table(analysis));
  text += lines("", report::trace_remarks(analysis));
  text += table(report::metric_table(analysis, report::MetricChoice::overview));
  for (const report::TextTable& top : report::top_tables(analysis)) {
    text += table(top);
  }
  text += lines("not known", report::unknown_lines(analysis));
  text += lines("reading: " + report::reading_line(analysis), report::note_lines(analysis));
  text += advice_block(analysis);
  text += "report:  " + (std::filesystem::path(analysis.directory) / "report.html").string() + "\n";
  text += bold(terminal, report::trace_headline(analysis)) + "\n";
  return text;
}

}  // namespace tune::cli
