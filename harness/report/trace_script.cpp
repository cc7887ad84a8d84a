// What is known of the script whose steps a trace shows.

#include "report/recorded_script.h"

#include "base/fields.h"
#include "base/text.h"
#include "base/units.h"
#include "report/number_text.h"
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
  if (!recorded.dilation || !recorded.measured_step_s || !recorded.recorded_step_s) {
    return "what recording cost is not known";
  }
  std::array<char, 32> factor{};
  (void)std::snprintf(factor.data(), factor.size(), "%.2f", *recorded.dilation);
  return std::string("recording made a step ") + factor.data() + " times as long (" +
         format_seconds(*recorded.measured_step_s) + " before, " +
         format_seconds(*recorded.recorded_step_s) + " recorded)";
}

std::string part_words(const std::string& part) {
  return part == "data_wait" ? "waiting for data" : part;
}

Table lines_table(const BusyLines& busy) {
  Table table{.caption = "Lines of the script that its steps are in",
              .columns = {{"line"}, {"of the time", Align::right}, {"part"}, {""}},
              .row_word = "line"};
  for (const BusyLine& line : busy.lines) {
    if (table.rows.size() == kMostShown) {
      table.left_out = busy.lines.size() - kMostShown;
      break;
    }
    const double share = static_cast<double>(line.samples) / static_cast<double>(busy.samples);
    table.rows.push_back({line.file + ":" + std::to_string(line.line),
                          share_text(share),
                          part_words(line.part),
                          shortened(line.text, kLongestLine)});
  }
  return table;
}

}  // namespace

void fields_of(Fields& fields, BusyLines& lines) {
  constexpr std::size_t kMostLines = 100;
  constexpr Range kCount = {0, 1'000'000'000};
  fields.list("lines", lines.lines, kMostLines, [&](Fields& inner, BusyLine& line) {
    inner.text("file", line.file, 4096);
    inner.whole("line", line.line, kCount);
    inner.text("function", line.function, 4096);
    inner.word("part", line.part, {"data_wait", "forward", "backward", "optimizer", "other"});
    inner.whole("samples", line.samples, kCount);
    inner.text("text", line.text, 4096);
  });
  fields.whole("samples", lines.samples, kCount);
  fields.whole("steps", lines.steps, kCount);
}

BusyLines parse_busy_lines(std::string_view text, const std::string& where) {
  return parse_record<BusyLines>(text, where);
}

std::string recording_words(const RecordedScript& recorded) {
  std::string text = counted(recorded.recorded_steps, "step") + " recorded";
  if (recorded.recorded_steps < recorded.wanted_steps) {
    text += " of " + std::to_string(recorded.wanted_steps) + ", which took long";
  }
  return text + " (" + format_bytes(recorded.trace_bytes) + "); " + dilation_words(recorded);
}

std::string line_words(const BusyLine& line) {
  return line.file + ":" + std::to_string(line.line) + " " + shortened(line.text, kLongestLine);
}

Section trace_script_section(const TraceAnalysis& analysis) {
  Section section{.title = "The script"};
  if (analysis.script == nullptr) {
    return section;
  }
  const RecordedScript& recorded = *analysis.script;
  section.add(Sentence{.text = shortened(recorded.script.command_words(), kLongestLine) + ": " +
                               recording_words(recorded)});
  if (!recorded.busy.lines.empty() && recorded.busy.samples > 0) {
    section.add(lines_table(recorded.busy));
    section.add(Sentence{.text = "Seen in " + counted(recorded.busy.samples, "look") + " at " +
                                 counted(recorded.busy.steps, "step") +
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
