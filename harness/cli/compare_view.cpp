#include "cli/compare_view.h"

#include "base/columns.h"
#include "cli/answer.h"
#include "cli/terminal.h"
#include "report/format/stored_text.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/quantity_text.h"
#include "report/render_blocks.h"
#include "report/trend_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace tune::cli {

namespace {

using report::ComparedCells;
using report::ComparedMetric;
using report::ComparedRun;
using report::Relation;
using report::RunComparison;

constexpr std::size_t kLongestName = 40;  // of a metric, which may come from a foreign file
constexpr std::size_t kLongestWords = 300;
constexpr const char* kRate = "samples/s";

bool is_gain(const ComparedMetric& metric) {
  return metric.id == "gain" || metric.id.starts_with("delta_");
}

// Without the unit where the first column has it.
std::string amount(const ComparedMetric& metric, double value) {
  constexpr std::array<std::string_view, 4> kPlainUnits = {"s", "B", "ratio", "calls"};
  if (is_gain(metric)) {
    return report::gain_text(value);
  }
  if (metric.unit == kRate) {
    return report::number_text(value);
  }
  const bool is_plain =
      std::find(kPlainUnits.begin(), kPlainUnits.end(), metric.unit) != kPlainUnits.end();
  return is_plain ? report::trend_value_text(value, metric.unit)
                  : report::quantity_text(value, metric.unit);
}

// "58.3 [58.0, 58.5]", "+7.6 [+6.1, +10.8] %".
std::string number_cell(const ComparedMetric& metric,
                        const result::Number& number,
                        bool with_interval) {
  constexpr std::string_view kPercent = " %";
  std::string text = amount(metric, *number.value);
  if (!with_interval || !number.lower || !number.upper || *number.lower == *number.upper) {
    return text;
  }
  std::string lower = amount(metric, *number.lower), upper = amount(metric, *number.upper);
  const bool is_percent =
      text.ends_with(kPercent) && lower.ends_with(kPercent) && upper.ends_with(kPercent);
  if (is_percent) {  // the sign of the unit once, so that two of them fit into a line
    for (std::string* const part : {&text, &lower, &upper}) {
      part->resize(part->size() - kPercent.size());
    }
  }
  text += " [" + lower + ", " + upper + "]";
  return is_percent ? text.append(kPercent) : text;
}

// "+3.1 %"; of ratios "+3.1 points".
std::string change_text(const ComparedMetric& metric) {
  if (!metric.change) {
    return "-";
  }
  std::string text = report::gain_text(*metric.change);
  if (metric.unit == "ratio" && text.ends_with('%')) {
    text.replace(text.size() - 1, 1, "points");
  }
  return text;
}

std::string relation_words(Relation relation, Codes codes) {
  const std::string words = report::name(relation);
  return codes == Codes::shown ? words + " [" + report::code_of(relation) + "]" : words;
}

report::Table table_of(const ComparedCells& cells, Codes codes, bool with_intervals) {
  using Align = report::Table::Align;
  report::Table table{.columns = {{"metric"},
                                  {"A", Align::right},
                                  {"B", Align::right},
                                  {"change", Align::right},
                                  {"B is"}}};
  for (const ComparedMetric& metric : cells.metrics) {
    const std::string unit = metric.unit == kRate ? " (1/s)" : "";
    table.rows.push_back({shortened(metric.id, kLongestName) + unit,
                          number_cell(metric, metric.a, with_intervals),
                          number_cell(metric, metric.b, with_intervals),
                          change_text(metric),
                          relation_words(metric.relation, codes)});
  }
  return table;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool fits(const std::vector<std::string>& lines, std::size_t width) {
  return std::all_of(
      lines.begin(), lines.end(), [&](const std::string& line) { return columns(line) <= width; });
}

std::string painted_table(const ComparedCells& cells, Codes codes, const Terminal& terminal) {
  std::vector<std::string> lines = lines_of(to_lines(table_of(cells, codes, true)));
  if (!fits(lines, terminal.width)) {
    lines = lines_of(to_lines(table_of(cells, codes, false)));
  }
  std::string text = bold(terminal, fitted(lines.front(), terminal.width)) + "\n";
  for (std::size_t i = 0; i < cells.metrics.size(); ++i) {
    const std::string line = fitted(lines.at(i + 1), terminal.width);
    const Relation relation = cells.metrics[i].relation;
    text += (relation == Relation::faster   ? green(terminal, line)
             : relation == Relation::slower ? yellow(terminal, line)
                                            : line) +
            "\n";
  }
  return text;
}

std::string named(const std::string& id, const std::string& setting) {
  return setting.empty() || setting == id ? id : id + " " + shortened(setting, kLongestWords);
}

std::string title_of(const ComparedCells& cells) {
  const std::string a = named(cells.a, cells.setting_a), b = named(cells.b, cells.setting_b);
  return a == b ? a : "A " + a + ", B " + b;
}

std::string knobs_text(const ComparedCells& cells) {
  std::string text;
  for (const ComparedCells::Knob& knob : cells.knobs) {
    const auto shown = [](const std::string& value) {
      return value.empty() ? std::string("\"\"") : value;
    };
    text += (text.empty() ? "" : ", ") + knob.name + " " + shown(knob.a) + " -> " + shown(knob.b);
  }
  return text;
}

std::string cells_text(const ComparedCells& cells, Codes codes, const Terminal& terminal) {
  std::string text = bold(terminal, wrapped("", title_of(cells), terminal.width));
  if (const std::string knobs = knobs_text(cells); !knobs.empty()) {
    text += wrapped("set otherwise: ", knobs, terminal.width);
  }
  return text + (cells.metrics.empty() ? "nothing was measured in both\n"
                                       : painted_table(cells, codes, terminal));
}

std::string run_words(const ComparedRun& run) {
  const result::Result& result = run.result;
  std::string text = run.name + ": " + result.kind + " of ";
  text += result.scenario.name.empty() ? "a scenario without a name" : result.scenario.name;
  text += result.provenance.started.empty() ? "" : ", " + result.provenance.started;
  text += result.environment.worker.torch_version.empty()
              ? ""
              : ", LibTorch " + result.environment.worker.torch_version;
  return shortened(text, kLongestWords);
}

std::string differences_text(const RunComparison& comparison,
                             Codes codes,
                             const Terminal& terminal) {
  std::string text;
  for (const report::RunDifference& each : comparison.differences) {
    const std::string line = wrapped("differs:  ", difference_words(each, codes), terminal.width);
    text += each.is_obstacle ? yellow(terminal, line) : line;
  }
  return text.empty() ? wrapped("differs:  ",
                                "nothing that is recorded of machine, scenario, data and programs",
                                terminal.width)
                      : text;
}

std::string notes_text(const RunComparison& comparison, std::size_t width) {
  std::string text;
  for (const std::string& note : notes_on(comparison)) {
    text += wrapped("note:     ", shortened(note, kLongestWords), width);
  }
  return text;
}

bool has_obstacle(const RunComparison& comparison) {
  const auto& all = comparison.differences;
  return std::any_of(all.begin(), all.end(), [](const auto& each) { return each.is_obstacle; });
}

// What would give a verdict, where that can be typed here.
std::string next_step(const RunComparison& comparison) {
  const std::string& file = comparison.b.result.scenario.file;
  std::error_code failed;
  return has_obstacle(comparison) || file.empty() || !std::filesystem::exists(file, failed)
             ? ""
             : "next:    tune gate " + typed_path(file) + "\n";
}

std::string codes_text(const RunComparison& comparison, std::size_t width) {
  std::string text;
  for (const report::ReasonCode& each : codes_in(comparison)) {
    text += wrapped(std::string(each.code) + ": ", std::string(each.meaning), width);
  }
  return text.empty() ? "" : "\n" + text;
}

bool stands_in(const RunComparison& comparison, std::string_view code) {
  const auto& all = comparison.differences;
  return std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.code == code; }) ||
         std::any_of(comparison.cells.begin(), comparison.cells.end(), [&](const auto& cells) {
           return std::any_of(cells.metrics.begin(), cells.metrics.end(), [&](const auto& metric) {
             return report::code_of(metric.relation) == code;
           });
         });
}

}  // namespace

std::string difference_words(const report::RunDifference& difference, Codes codes) {
  const std::string words = shortened(words_of(difference), kLongestWords);
  return codes == Codes::shown ? words + " [" + difference.code + "]" : words;
}

std::vector<report::ReasonCode> codes_in(const RunComparison& comparison) {
  std::vector<report::ReasonCode> codes;
  for (const report::ReasonCode& each : report::all_reason_codes()) {
    if (stands_in(comparison, each.code)) {
      codes.push_back(each);
    }
  }
  return codes;
}

std::string comparison_text(const RunComparison& comparison,
                            Codes codes,
                            const Terminal& terminal) {
  std::string text = wrapped("A:        ", run_words(comparison.a), terminal.width);
  text += wrapped("B:        ", run_words(comparison.b), terminal.width);
  text += differences_text(comparison, codes, terminal);
  text += notes_text(comparison, terminal.width);
  for (const ComparedCells& cells : comparison.cells) {
    text += "\n" + cells_text(cells, codes, terminal);
  }
  text += codes == Codes::shown ? codes_text(comparison, terminal.width) : "";
  text += "\n" + wrapped("", report::kNoVerdict, terminal.width);
  return text + next_step(comparison);
}

std::string comparison_rows(const RunComparison& comparison, Codes codes) {
  const auto text_of = [](const std::optional<double>& value) { return report::exact_text(value); };
  std::string rows;
  for (const ComparedCells& cells : comparison.cells) {
    for (const ComparedMetric& metric : cells.metrics) {
      std::vector<std::string> row = {cells.a,
                                      cells.b,
                                      metric.id,
                                      metric.unit,
                                      text_of(metric.a.value),
                                      text_of(metric.a.lower),
                                      text_of(metric.a.upper),
                                      text_of(metric.b.value),
                                      text_of(metric.b.lower),
                                      text_of(metric.b.upper),
                                      text_of(metric.change),
                                      report::name(metric.relation)};
      if (codes == Codes::shown) {
        row.push_back(report::code_of(metric.relation));
      }
      rows += plain_row(row);
    }
  }
  return rows;
}

std::string comparison_remarks(const RunComparison& comparison, Codes codes) {
  std::string text;
  for (const report::RunDifference& each : comparison.differences) {
    text += "differs: " + difference_words(each, codes) + "\n";
  }
  for (const std::string& note : notes_on(comparison)) {
    text += "note: " + shortened(note, kLongestWords) + "\n";
  }
  return text + report::kNoVerdict + "\n";
}

}  // namespace tune::cli
