#include "report/trace_pages.h"

#include "report/diagnosis_text.h"
#include "report/html_page.h"
#include "report/markdown.h"
#include "report/render_blocks.h"
#include "report/table_text.h"
#include "report/trace_sections.h"
#include "trace/table/operator_table.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

void add_section(std::string& text, const std::string& title, const std::string& body) {
  if (!body.empty()) {
    text += "\n## " + title + "\n\n" + body;
  }
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

// Three sections of other reports in one.
Section time_section(const TraceAnalysis& analysis) {
  Section section = trace_parts_section(analysis);
  if (analysis.input.partition.total_ns() > 0) {
    Section calls = trace_calls_section(analysis);
    if (!calls.blocks.empty()) {
      section.add(Folded{calls.title, std::move(calls.blocks)});
    }
    section.add(trace_remarks_section(analysis).blocks);
  }
  return section;
}

}  // namespace

std::string to_trace_html(const TraceAnalysis& analysis) {
  PageParts parts{.title = "tune analyze: " + trace_name(analysis),
                  .tune_version = analysis.tune_version,
                  .sections = {to_markup(trace_answer_section(analysis)),
                               trace_advice_section(analysis),
                               to_markup(time_section(analysis))}};
  for (const auto section : {trace_script_section,
                             trace_utilisation_section,
                             trace_steps_section,
                             trace_operators_section,
                             trace_kernels_section,
                             trace_copies_section,
                             trace_memory_section,
                             trace_phases_section,
                             trace_unknown_section,
                             trace_method_section,
                             trace_reproduce_section}) {
    parts.sections.push_back(to_markup(folded(section(analysis))));
  }
  return html_page(parts);
}

std::string to_trace_markdown(const TraceAnalysis& analysis) {
  const std::string name = std::filesystem::path(analysis.input.timeline.file).filename().string();
  const auto markdown_of = [&](Section (*section)(const TraceAnalysis&)) {
    return to_markdown(section(analysis).blocks);
  };
  std::string text = "# " + escape_markdown(name) + "\n\n**" +
                     escape_markdown(trace_answer_words(analysis)) + "**\n\n" +
                     escape_markdown(trace_headline(analysis)) + ".\n";
  if (analysis.diagnosis != nullptr) {
    text += diagnosis_markdown(trace_advice(analysis));
  }
  add_section(text, "The script", markdown_of(trace_script_section));
  add_section(text, "Where the time goes", markdown_of(trace_parts_section));
  text +=
      "\nA moment belongs to the first row of this table that has anything at it, so the parts sum "
      "to the step. *Overlapped* time is hidden by rows above: only what is exposed can be "
      "gained.\n";
  add_section(text, "Calls of the runtime", markdown_of(trace_calls_section));
  add_section(text, "Remarks", markdown_of(trace_remarks_section));
  add_section(text, "Metrics", markdown_of(trace_utilisation_section));
  add_tables(text, analysis.tables);
  add_section(text, "Not known", markdown_of(trace_unknown_section));
  add_section(text, "Reading", markdown_of(trace_method_section));
  return text;
}

}  // namespace tune::report
