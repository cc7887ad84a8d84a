#include "report/trace_markdown.h"

#include "report/diagnosis_text.h"
#include "report/markdown.h"
#include "report/markup.h"
#include "report/table_text.h"
#include "report/trace_notes.h"
#include "report/trace_text.h"
#include "table/operator_table.h"

#include <filesystem>

namespace tune::report {

namespace {

void add_section(std::string& text, const std::string& title, const std::string& body) {
  if (!body.empty()) {
    text += "\n## " + title + "\n\n" + body;
  }
}

std::string table(const TextTable& content) {
  return content.rows.empty() ? "" : to_markdown(content);
}

std::string list(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += "- " + escape_markdown(line) + "\n";
  }
  return text;
}

// The first rows of every table but the dense one, which is for programs.
void add_tables(std::string& text, const std::vector<table::Table>& tables) {
  constexpr std::size_t kMostRows = 20;
  for (const table::Table& whole : tables) {
    if (whole.id != "memory-timeline") {
      table::Table table = table::without_steps(whole);
      table::keep_top(table, kMostRows);
      add_section(text, table.title, to_markdown(table));
    }
  }
}

}  // namespace

std::string to_trace_markdown(const TraceAnalysis& analysis) {
  const profile::Timeline& timeline = analysis.input.timeline;
  const std::string name = std::filesystem::path(timeline.file).filename().string();
  std::string text =
      "# " + escape_markdown(name) + "\n\n**" + escape_markdown(trace_headline(analysis)) + "**\n";
  add_section(text, "Where the time goes", table(partition_table(analysis)));
  text +=
      "\nA moment belongs to the first row of this table that has anything at it, so the parts sum "
      "to "
      "the step. *Overlapped* time is hidden by rows above: only what is exposed can be gained.\n";
  if (analysis.diagnosis != nullptr) {
    text += diagnosis_markdown(*analysis.diagnosis);
  }
  add_section(text, "Calls of the runtime", table(runtime_table(analysis)));
  add_section(text, "Remarks", list(trace_remarks(analysis)));
  add_section(text, "Metrics", table(metric_table(analysis, MetricChoice::all)));
  add_tables(text, analysis.tables);
  add_section(text, "Not known", list(unknown_lines(analysis)));
  add_section(text, "Reading", list({reading_line(analysis)}) + list(note_lines(analysis)));
  return text;
}

}  // namespace tune::report
