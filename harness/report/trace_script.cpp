// What is known of the script whose steps a trace shows.

#include "base/fields.h"
#include "base/text.h"
#include "base/units.h"
#include "report/number_text.h"
#include "report/recorded_script.h"
#include "report/result_of.h"
#include "report/trace_sections.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace tune::report {

namespace {

using Align = Table::Align;

constexpr std::size_t kLongestLine = 100, kMostShown = 12;

// A step of another length when it is recorded shows other shares: of one that is worth naming.
std::string dilation_words(const RecordedScript& recorded) {
  if (!recorded.dilation || !recorded.step_before_s || !recorded.recorded_step_s) {
    return "what recording cost is not known";
  }
  const std::string after =
      recorded.step_after_s ? ", " + format_seconds(*recorded.step_after_s) + " after" : "";
  constexpr double kNothing = 1.005;  // what reads "1.00 times"
  std::array<char, 32> factor{};
  (void)std::snprintf(factor.data(), factor.size(), "%.2f", *recorded.dilation);
  const bool is_longer = *recorded.dilation >= kNothing;
  return (is_longer ? std::string("recording made a step ") + factor.data() + " times as long ("
                    : "recording made no step longer (") +
         format_seconds(*recorded.step_before_s) + " before, " +
         format_seconds(*recorded.recorded_step_s) + " recorded" + after + ")";
}

std::string part_words(const std::string& part) {
  return part == "data_wait" ? "waiting for data" : part;
}

Table lines_table(const std::vector<result::BusyLine>& lines) {
  Table table{.caption = "Lines of the script that its steps are in",
              .columns = {{"line"}, {"of the time", Align::right}, {"part"}, {""}},
              .row_word = "line"};
  table.left_out = lines.size() > kMostShown ? lines.size() - kMostShown : 0;
  table.rows.reserve(lines.size() - table.left_out);
  for (std::size_t i = 0; i + table.left_out < lines.size(); ++i) {
    const result::BusyLine& line = lines[i];
    table.rows.push_back({line.file + ":" + std::to_string(line.line),
                          share_text(line.ratio),
                          part_words(line.part),
                          shortened(line.text, kLongestLine)});
  }
  return table;
}

}  // namespace

void fields_of(Fields& fields, SampledLines& sampled) {
  constexpr std::size_t kMostLines = 100, kMostSteps = 1'000'000;
  constexpr Range kCount = {0, 1'000'000'000};
  fields.list("lines", sampled.lines, kMostLines, [&](Fields& inner, SampledLine& seen) {
    result::BusyLine& line = seen.line;
    inner.text("file", line.file);
    inner.whole("line", line.line, kCount);
    inner.text("function", line.function);
    inner.word("part", line.part, {"data_wait", "forward", "backward", "optimizer", "other"});
    inner.whole("samples", seen.samples, kCount);
    inner.text("text", line.text);
  });
  fields.whole("samples", sampled.samples, kCount);
  fields.whole_list("step_ns", sampled.step_ns, kMostSteps);
}

SampledLines parse_sampled_lines(std::string_view text, const std::string& where) {
  return parse_record<SampledLines>(text, where);
}

std::string recording_words(const RecordedScript& recorded) {
  std::string text = counted(recorded.recorded_steps, "step") + " recorded";
  if (recorded.recorded_steps < recorded.wanted_steps) {
    text += " of " + std::to_string(recorded.wanted_steps) + ", which took long";
  }
  return text + " (" + format_bytes(recorded.trace_bytes) + "); " + dilation_words(recorded);
}

Section trace_script_section(const TraceAnalysis& analysis) {
  Section section{.title = "The script"};
  if (analysis.script == nullptr) {
    return section;
  }
  const RecordedScript& recorded = *analysis.script;
  section.add(Sentence{.text = shortened(recorded.script.command_words(), kLongestLine) + ": " +
                               recording_words(recorded)});
  if (!recorded.script.lines.empty()) {
    section.add(lines_table(recorded.script.lines));
    section.add(Sentence{.text = "Seen in " + counted(recorded.samples, "look") + " at " +
                                 counted(recorded.sampled_steps, "step") +
                                 " after the recorded ones: the innermost line of the script's own "
                                 "at each.",
                         .is_quiet = true});
  }
  return section;
}

result::Result trace_advice(const TraceAnalysis& analysis) {
  result::Result said = result_of(*analysis.diagnosis);
  if (analysis.script != nullptr) {
    said.script = analysis.script->script;
  }
  return said;
}

}  // namespace tune::report
