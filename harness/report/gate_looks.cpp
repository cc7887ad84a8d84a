// What a gate says of its looks.

#include "report/format/stored_text.h"
#include "report/gate_row_words.h"
#include "report/gate_sections.h"
#include "report/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace tune::report {

namespace {

using Align = Table::Align;

constexpr std::size_t kMostLookRows = 1'000;
constexpr std::size_t kLongestMetric = 80, kLongestItem = 400;

// 0.33 %: alphas are smaller than what a share is rounded to.
std::string alpha_text(std::optional<double> alpha) {
  return alpha ? number_text(*alpha * 100) + " %" : "not known";
}

// From ln(how much worse) to a ratio - 1.
std::string worse_by(std::optional<double> log_worse) {
  return log_worse ? gain_text(std::expm1(*log_worse)) : "not known";
}

void add_look(const result::GateLook& look, const result::GateLookRow& row, Table& table) {
  table.rows.push_back(
      {std::to_string(look.look),
       look.utc,
       std::to_string(look.pairs),
       alpha_text(look.alpha_spent),
       alpha_text(look.alpha_total),
       shortened(row.metric, kLongestMetric),
       worse_by(row.estimate),
       row.lower && row.upper ? worse_by(row.lower) + " to " + worse_by(row.upper) : "none",
       row.p ? rounded_text(*row.p, 2) : "not known",
       share_or(row.mde, "not known"),
       row.verdict,
       std::to_string(look.baseline_tainted),
       std::to_string(look.candidate_tainted)});
}

std::string plan_sentence(const GateRecord& record) {
  std::string text = "Nothing is decided between looks";
  if (!record.gate().looks_at.empty()) {
    text += "; planned were";
    for (const std::int64_t& pairs : record.gate().looks_at) {
      text += (&pairs == &record.gate().looks_at.front() ? " " : ", ") + std::to_string(pairs);
    }
    text += " pairs";
  }
  return record.gate().alpha ? text + ". Over all of them a gate may err with a probability of " +
                                   alpha_text(*record.gate().alpha) + " towards either side."
                             : text + ".";
}

std::string unit_of(const std::vector<result::GateRow>& rows, const std::string& metric) {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const result::GateRow& row) { return row.metric == metric; });
  return found == rows.end() ? "" : found->unit;
}

// As a comment has room for it.
Table short_table(const GateRecord& record) {
  Table table{.columns = {{"look", Align::right},
                          {"pairs", Align::right},
                          {"alpha so far", Align::right},
                          {"metric"},
                          {"change", Align::right},
                          {"verdict"}}};
  for (const result::GateLook& look : record.gate().looks) {
    for (const result::GateLookRow& row : look.rows) {
      const std::string unit = unit_of(record.result.gate->rows, row.metric);
      table.rows.push_back(
          {std::to_string(look.look),
           std::to_string(look.pairs),
           share_or(look.alpha_total, "not known"),
           shortened(row.metric, kLongestItem),
           row.estimate ? gain_text(change_of(row.metric, unit, *row.estimate)) : "not known",
           row.verdict});
    }
  }
  return table;
}

Table whole_table(const GateRecord& record) {
  Table table{.caption =
                  "What each look spent and said. Worse by: above 0 the candidate is "
                  "slower or larger. Disturbed: slices so far that do not count.",
              .columns = {{"look"},
                          {"at"},
                          {"pairs", Align::right},
                          {"alpha spent", Align::right},
                          {"alpha so far", Align::right},
                          {"metric"},
                          {"worse by", Align::right},
                          {"interval", Align::right},
                          {"p", Align::right},
                          {"detectable", Align::right},
                          {"verdict"},
                          {"disturbed, baseline", Align::right},
                          {"disturbed, candidate", Align::right}}};
  for (const result::GateLook& look : record.gate().looks) {
    for (const result::GateLookRow& row : look.rows) {
      if (table.rows.size() < kMostLookRows) {
        add_look(look, row, table);
      } else {
        ++table.left_out;
      }
    }
  }
  return table;
}

}  // namespace

Section gate_looks_section(const GateRecord& record) {
  Section section{.title = "Looks"};
  return record.gate().looks.empty() ? section
                                     : section.add(Sentence{plan_sentence(record)}, kInHtml)
                                           .add(short_table(record), kInMarkdown)
                                           .add(whole_table(record), kInHtml);
}

}  // namespace tune::report
