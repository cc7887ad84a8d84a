#include "cli/trace_answer.h"

#include "report/markup.h"
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
    text += (title.empty() ? "" : "  ") + report::one_line(line) + "\n";
  }
  return text.empty() ? "" : block((title.empty() ? "" : title + "\n") + text);
}

std::string devices(const profile::Timeline& timeline) {
  if (timeline.devices.empty()) {
    return "";
  }
  const std::string first = report::one_line(timeline.devices.front().name);
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

}  // namespace

std::string trace_answer(const report::TraceAnalysis& analysis, const Terminal& terminal) {
  const profile::Timeline& timeline = analysis.input.timeline;
  std::string text =
      report::one_line(timeline.file) + devices(timeline) + rank(timeline.rank) + "\n\n";
  text += table(report::partition_table(analysis));
  text += table(report::runtime_table(analysis));
  text += lines("", report::trace_remarks(analysis));
  text += table(report::metric_table(analysis, report::MetricChoice::overview));
  for (const report::TextTable& top : report::top_tables(analysis)) {
    text += table(top);
  }
  text += lines("not known", report::unknown_lines(analysis));
  text += lines("reading: " + report::reading_line(analysis), report::note_lines(analysis));
  text += "report:  " + (std::filesystem::path(analysis.directory) / "report.md").string() + "\n";
  text += bold(terminal, report::trace_headline(analysis)) + "\n";
  return text;
}

}  // namespace tune::cli
