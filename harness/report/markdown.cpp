#include "report/markdown.h"

#include "history/trend.h"
#include "report/cell_times.h"
#include "report/confirmation_text.h"
#include "report/failures.h"
#include "report/headline.h"
#include "report/latency_text.h"
#include "report/limits_text.h"
#include "report/machine_text.h"
#include "report/markdown_page.h"
#include "report/markup.h"
#include "report/method_text.h"
#include "report/number_text.h"
#include "report/prediction_report.h"
#include "report/profile_text.h"
#include "report/ranked_table.h"
#include "report/run_advice.h"
#include "report/run_facts.h"
#include "report/trend_text.h"

#include <algorithm>
#include <cctype>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;

constexpr std::size_t kMostRows = 12;          // in a comment
constexpr std::size_t kMostRowsOfAPage = 500;  // with more room
constexpr std::size_t kMostFailures = 20;
constexpr std::size_t kLongestText = 400;

using Row = std::vector<std::string>;

std::string table_row(const Row& texts) {
  std::string row = "|";
  for (const std::string& text : texts) {
    row += " " + escape_markdown(shortened(text, kLongestText)) + " |";
  }
  return row + "\n";
}

std::string table(const std::vector<RankedTable::Column>& columns, const std::vector<Row>& rows) {
  Row names;
  std::string rule = "|";
  for (const auto& column : columns) {
    names.push_back(column.name);
    rule += column.align == RankedTable::Align::right ? "---:|" : "---|";
  }
  std::string text = table_row(names) + rule + "\n";
  for (const Row& row : rows) {
    text += table_row(row);
  }
  return text;
}

std::string title(const CampaignResult& result) {
  std::string text = comment_marker(result.scenario.name) +
                     "## tune: " + escape_markdown(shortened(result.scenario.name, kLongestText)) +
                     "\n\n**" + escape_markdown(shortened(headline(result), 2 * kLongestText)) +
                     "**\n\n" + escape_markdown(effort(result)) + ".\n";
  const auto found = doubts_about(result);
  for (std::size_t i = 0; i < std::min(found.size(), kMostFailures); ++i) {
    text += "\n- Note: " + escape_markdown(shortened(found[i], 2 * kLongestText));
  }
  return found.empty() ? text : text + "\n";
}

std::string settings(const CampaignResult& result, std::size_t most_rows) {
  const RankedTable ranked = ranked_table(result, kMostRowsOfAPage);
  const std::size_t all = ranked.rows.size() + ranked.left_out;
  std::vector<Row> rows;
  for (const RankedTable::Row& row : ranked.rows) {
    if (rows.size() < most_rows && row.kind != RankedTable::Kind::failed) {
      rows.push_back(row.texts);
    }
  }
  if (rows.empty()) {
    return "No setting was measured.\n";
  }
  std::string text = table(ranked.columns, rows);
  if (rows.size() < all) {
    text += "\n" + std::to_string(all - rows.size()) + " more of " + std::to_string(all) +
            (ranked.left_out == 0 ? " are in report.html.\n" : " are in result.json.\n");
  }
  return text + "\n" + escape_markdown(ranked.note) + "\n";
}

std::string method(const CampaignResult& result) {
  std::string text;
  for (const std::string& line : method_lines(result)) {
    text += "- " + escape_markdown(shortened(line, 2 * kLongestText)) + "\n";
  }
  for (const std::string& line : confirmation_lines(result)) {
    text += "- fresh pairs: " + escape_markdown(shortened(line, 2 * kLongestText)) + "\n";
  }
  for (const campaign::Confirmation& row : result.confirmations) {
    const auto looks = look_lines(row);
    for (const std::string& line : looks) {
      text += "- look at " + escape_markdown(row.cell + ": " + line) + "\n";
    }
  }
  return text;
}

std::string phases(const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  const auto split = [&](const CellResult* cell) {
    return cell == nullptr ? std::nullopt : phase_split(result, *cell);
  };
  const auto now = split(conclusion.baseline), best = split(conclusion.best);
  if (!now) {
    return "";
  }
  std::vector<RankedTable::Column> columns = {{"part of a step"},
                                              {"baseline", RankedTable::Align::right}};
  if (best) {
    columns.push_back({conclusion.best->cell.id, RankedTable::Align::right});
  }
  const auto entry = [](double ms, double ratio) {
    return number_text(ms) + " ms (" + share_text(ratio) + ")";
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < now->parts.size(); ++i) {
    Row row = {std::string(now->parts[i].label),
               entry(now->parts[i].ms_per_sample, now->parts[i].ratio)};
    if (best) {
      row.push_back(entry(best->parts[i].ms_per_sample, best->parts[i].ratio));
    }
    rows.push_back(std::move(row));
  }
  std::string text = table(columns, rows) + "\nTime of one sample, over all rounds of the " +
                     conclusion.baseline->stage + ".\n";
  for (const std::string& line : latency_lines(result)) {
    text += "\n- " + escape_markdown(line) + "\n";
  }
  return text;
}

// The recorded steps come after the measured ones and say why, not how fast.
std::string recorded(const CampaignResult& result) {
  std::string text;
  for (const TextTable& part : {recorded_partition(result), recorded_operators(result)}) {
    text += part.rows.empty() ? "" : to_markdown(part) + "\n";
  }
  for (const std::string& line : recording_lines(result)) {
    text += "- " + escape_markdown(shortened(line, 2 * kLongestText)) + "\n";
  }
  return text;
}

// How the baseline's rate went over the runs, in one line, and what earlier gates said.
std::string history_of(const CampaignResult& result) {
  constexpr std::size_t kWidth = 60, kMostGates = 5;
  if (!result.history) {
    return "";
  }
  const history::Series& series = *result.history;
  std::string text;
  if (series.points.size() > 1) {
    text += sparkline(values_of(series), kWidth) + " baseline over " +
            escape_markdown(range_sentence(series)) + "\n";
    for (const history::Change& change : history::trend_of(series.points).changes) {
      text += "\n- " + escape_markdown(shortened(change_sentence(series, change), kLongestText));
    }
    text += "\n";
  }
  for (std::size_t i = 0; i < std::min(series.gates.size(), kMostGates); ++i) {
    const history::PastGate& gate = series.gates[i];
    text += "- gate of " + escape_markdown(one_line(gate.started_utc)) + ": " +
            escape_markdown(shortened(
                gate.verdict + (gate.reason.empty() ? "" : ", ") + gate.reason, kLongestText)) +
            "\n";
  }
  return text;
}

std::string limits(const CampaignResult& result) {
  const TextTable found = limit_table(result);
  std::string text = found.rows.empty() ? "" : to_markdown(found) + "\n";
  for (const std::string& line : limit_lines(result)) {
    text += "- " + escape_markdown(shortened(line, 2 * kLongestText)) + "\n";
  }
  return text;
}

std::string machine_use(const CampaignResult& result) {
  if (result.telemetry.empty()) {
    return "";
  }
  std::vector<RankedTable::Column> columns = {{"machine"}};
  for (const telemetry::CellTelemetry& cell : result.telemetry) {
    columns.push_back({cell.cell, RankedTable::Align::right});
  }
  const std::vector<MachineRow> found = machine_rows(result);
  std::vector<Row> rows;
  rows.reserve(found.size());
  for (const MachineRow& each : found) {
    Row row = {each.label};
    row.insert(row.end(), each.texts.begin(), each.texts.end());
    rows.push_back(std::move(row));
  }
  std::string text = table(columns, rows);
  for (const std::string& note : machine_notes(result)) {
    text += "\n- " + escape_markdown(shortened(note, kLongestText));
  }
  return text + "\n";
}

std::string failed(const CampaignResult& result) {
  const auto found = failures(result);
  if (found.empty()) {
    return "";
  }
  std::vector<Row> rows;
  for (const Failure& failure : found) {
    if (rows.size() < kMostFailures) {
      rows.push_back({failure.cell, failure.setting, failure.outcome, failure.reason});
    }
  }
  std::string text = table({{"cell"}, {"setting"}, {"outcome"}, {"reason"}}, rows);
  return rows.size() < found.size()
             ? text + "\n" + std::to_string(found.size() - rows.size()) + " more.\n"
             : text;
}

std::string never_run(const CampaignResult& result) {
  const auto found = unmeasured(result);
  if (found.empty()) {
    return "";
  }
  std::vector<Row> rows;
  for (const Unmeasured& each : found) {
    if (rows.size() < kMostFailures) {
      rows.push_back({each.cell, each.setting, each.reason});
    }
  }
  std::string text = table({{"cell"}, {"setting"}, {"reason"}}, rows);
  return rows.size() < found.size()
             ? text + "\n" + std::to_string(found.size() - rows.size()) + " more.\n"
             : text;
}

std::string not_tried(const CampaignResult& result) {
  std::string text;
  std::size_t listed = 0;
  for (const scenario::CollapsedKnob& knob : result.plan.collapsed) {
    if (listed++ < kMostFailures) {
      text += "- " + escape_markdown(shortened(knob.knob, kLongestText)) + ": " +
              escape_markdown(shortened(knob.reason, kLongestText)) + " (" +
              counted(knob.cells, "combination") + " saved)\n";
    }
  }
  for (const scenario::ForbiddenCells& forbidden : result.plan.forbidden) {
    if (listed++ < kMostFailures) {
      text += "- forbidden by " + escape_markdown(shortened(forbidden.text, kLongestText)) + ": " +
              counted(forbidden.cells, "combination") + "\n";
    }
  }
  return listed > kMostFailures ? text + "- " + std::to_string(listed - kMostFailures) + " more\n"
                                : text;
}

// In a block of four spaces nothing is markup, not even backticks.
std::string code_block(const std::string& line) {
  return "    " + one_line(line) + "\n";
}

std::string record(const CampaignResult& result) {
  return "Environment: " + escape_markdown(shortened(environment_line(result), 2 * kLongestText)) +
         ".\n\nRun it again (seed " + std::to_string(result.seed) +
         (result.scenario.has_seed ? "" : ", drawn") + ", scenario " +
         escape_markdown(shortened(result.scenario.sha256, 12)) + "):\n\n" +
         code_block(shortened(command_line(repeat_command(result)), 4 * kLongestText));
}

}  // namespace

std::string escape_markdown(std::string_view text) {
  const std::string clean = one_line(text);
  const auto is_word = [&](std::size_t i) {
    return i < clean.size() && std::isalnum(static_cast<unsigned char>(clean[i])) != 0;
  };
  std::string escaped;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    if (c == '<' || c == '>' || c == '&') {
      escaped += escape_markup({&c, 1});
      continue;
    }
    // Within a word an underscore does not format, and knob names are full of them.
    const bool is_plain_underscore = c == '_' && is_word(i + 1) && i > 0 && is_word(i - 1);
    if (!is_plain_underscore && std::string_view("\\`*_[]|#~").find(c) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += c;
    escaped += c == '@' ? "\xE2\x80\x8B" : "";  // zero-width space: "@name" would call somebody
  }
  return escaped;
}

std::string escape_summary(std::string_view text) {
  std::string escaped;
  for (const char c : escape_markup(one_line(text))) {
    escaped += c;
    escaped += c == '@' ? "\xE2\x80\x8B" : "";
  }
  return escaped;
}

std::string to_markdown(const CampaignResult& result, std::size_t limit_bytes) {
  const std::size_t most_rows = limit_bytes > kMarkdownLimitBytes ? kMostRowsOfAPage : kMostRows;
  return markdown_page({{"", title(result)},
                        {"Settings, ranked", settings(result, most_rows)},
                        {"What limits the baseline", run_advice_markdown(result)},
                        {"How good the predictions are", predictions_markdown(result)},
                        {"History", history_of(result)},
                        {"How it was measured", method(result)},
                        {"Where the time goes", phases(result)},
                        {"What a step consists of", recorded(result)},
                        {"How close to the limit", limits(result)},
                        {"Machine during the run", machine_use(result)},
                        {"What failed", failed(result)},
                        {"Not measured", never_run(result)},
                        {"What was not tried", not_tried(result)},
                        {"Record", record(result)}},
                       limit_bytes);
}

}  // namespace tune::report
