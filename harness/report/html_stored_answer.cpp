// The begin of a page that is made of result.json alone.

#include "report/format/stored_text.h"
#include "report/html_parts.h"
#include "report/html_stored_sections.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "report/run_record_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostDoubts = 4, kMostChanges = 4;

void append_fact(Markup& html,
                 const char* question,
                 const std::vector<std::string>& answers,
                 const std::string& detail) {
  html.open("div", {{"class", "fact"}}).leaf("dt", question);
  for (const std::string& answer : answers) {
    html.leaf("dd", answer, {{"class", "value"}});
  }
  if (!detail.empty()) {
    html.leaf("dd", detail);
  }
  html.close().line();
}

const StoredCell* cell_of(const StoredResult& result, const std::string& id) {
  const auto found = std::find_if(result.cells.begin(),
                                  result.cells.end(),
                                  [&](const StoredCell& cell) { return cell.id == id; });
  return found == result.cells.end() ? nullptr : &*found;
}

std::string value_in(const StoredSetting& setting, const std::string& knob) {
  for (const auto& [name, value] : setting) {
    if (name == knob) {
      return value;
    }
  }
  return "not set";
}

// "num_workers: 2 (was 0)" of the best setting.
std::vector<std::string> changes_of(const StoredResult& result) {
  const StoredCell* const best = cell_of(result, result.best_cell);
  const StoredCell* const baseline = cell_of(result, "baseline");
  std::vector<std::string> changes;
  if (best == nullptr) {
    return changes;
  }
  for (const std::string& knob : best->knobs) {
    std::optional<std::string> was;
    if (baseline != nullptr) {
      was = value_in(baseline->whole_setting, knob);
    }
    changes.push_back(fact_change(knob, value_in(best->whole_setting, knob), was));
  }
  return changes;
}

std::string sure_text(const RunRecord& record) {
  const StoredNumber& gain = record.result.best_gain;
  std::string text = gain_words(gain);
  text += gain.n > 0 ? ", " + counted(gain.n, "fresh pair") : "";
  return short_text(text);
}

void append_facts(const RunRecord& record, Markup& html) {
  const StoredNumber& gain = record.result.best_gain;
  const StoredNumber &now = record.baseline_rate, &best = record.best_rate;
  html.open("dl", {{"class", "facts"}}).line();
  append_fact(html,
              "How much faster",
              {gain.value ? gain_text(*gain.value) : "not known"},
              now.value && best.value
                  ? number_text(*best.value) + " against " + number_text(*now.value) + " samples/s"
                  : "");
  append_fact(html,
              "How sure",
              {record.best_verdict.empty() ? "not confirmed" : short_text(record.best_verdict)},
              sure_text(record));
  std::vector<std::string> changes = changes_of(record.result);
  const std::size_t all = changes.size();
  changes.resize(std::min(all, kMostChanges));
  const bool is_proven = record.best_verdict == "CONFIRMED";
  std::string detail =
      all > kMostChanges ? "and " + std::to_string(all - kMostChanges) + " more" : "";
  if (!is_proven) {
    detail = changes.empty() ? "" : "the best tried: " + both(changes.front(), " ", detail);
    changes = {"nothing is proven to pay"};
  }
  append_fact(html, "What to change", changes, detail);
  html.close().line();
}

}  // namespace

Markup stored_answer_section(const RunRecord& record) {
  Markup html;
  html.open("header").line();
  html.leaf("h1", title_of(record)).line();
  if (!record.description.empty()) {
    html.append(paragraph(short_text(record.description), "quiet"));
  }
  html.leaf("p", headline_of(record), {{"class", "headline"}, {"id", "headline"}}).line();
  if (record.result.kind == "run") {
    append_facts(record, html);
  }
  const std::vector<std::string> doubts = doubts_of(record);
  const auto first =
      doubts.begin() + static_cast<std::ptrdiff_t>(std::min(doubts.size(), kMostDoubts));
  html.append(trust_banner(std::vector<std::string>(doubts.begin(), first)));
  if (first != doubts.end()) {
    html.append(folded(counted(doubts.end() - first, "more doubt"),
                       bullets(std::vector<std::string>(first, doubts.end()))));
  }
  const std::string& started = record.result.started;
  html.append(paragraph(
      what_is_missing(record) + (started.empty() ? "" : " Measured " + short_text(started) + "."),
      "quiet"));
  return html.close().line();
}

}  // namespace tune::report
