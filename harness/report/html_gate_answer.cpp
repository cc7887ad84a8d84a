// The begin of a gate's report.html: what a reader needs without scrolling.

#include "base/units.h"
#include "report/gate_row_words.h"
#include "report/html_gate_sections.h"
#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestName = 120, kLongestDescription = 300, kLongestHeadline = 400;
constexpr std::size_t kLongestDetail = 200, kMostBanner = 4;

struct GateFact {
  std::string question, answer, detail;
};

void append_fact(Markup& html, const GateFact& fact) {
  html.open("div", {{"class", "fact"}}).leaf("dt", fact.question);
  html.leaf("dd", fact.answer, {{"class", "value"}});
  if (!fact.detail.empty()) {
    html.leaf("dd", shortened(fact.detail, kLongestDetail));
  }
  html.close().line();
}

const char* question_of(const StoredGateRow& row) {
  const bool is_worse = worsening(row) >= 0;
  if (row.unit == "B") {
    return is_worse ? "How much more" : "How much less";
  }
  return is_worse ? "How much slower" : "How much faster";
}

std::vector<GateFact> facts_of(const StoredGateRow& row) {
  const StoredNumber& change = row.delta;
  std::string sure = counted(row.pairs, "pair");
  if (change.lower && change.confidence) {
    sure = confidence_text(*change.confidence) + " confidence over all looks, " + sure;
  }
  const std::string budget = row.budget ? share_text(*row.budget) : "none";
  return {
      {.question = question_of(row),
       .answer = change.value ? gain_text(*change.value) : "not measured",
       .detail = row.metric + ": " + value_words(row.baseline, row.unit) + " to " +
                 value_words(row.candidate, row.unit)},
      {.question = "How sure",
       .answer = change.lower ? interval_words(change) : "no interval",
       .detail = change.lower ? sure : sure + (change.reason.empty() ? "" : ", ") + change.reason},
      {.question = "What the budget says",
       .answer = row.verdict + ", budget " + budget,
       .detail = row.why}};
}

bool differs(const StoredGateRow& row) {
  return row.verdict != "PASS";
}

// Nothing was measured, or not enough of it to look at.
std::vector<GateFact> facts_of(const StoredGate& gate) {
  const auto counts = worst_first(gate.rows, false);
  const auto changed =
      std::count_if(counts.begin(), counts.end(), [](const auto* row) { return differs(*row); });
  const std::string why = gate.end_reason.empty() ? gate.why : gate.end_reason;
  const bool is_counted = !counts.empty();
  return {{.question = "How much slower", .answer = "not measured", .detail = why},
          {.question = "How sure",
           .answer = is_counted ? "counted, exact" : "nothing is proven",
           .detail = is_counted ? std::to_string(changed) + " of " +
                                      counted(static_cast<std::int64_t>(counts.size()), "count") +
                                      " of one step differ"
                                : ""},
          {.question = "What the budget says", .answer = gate.verdict, .detail = gate.why}};
}

std::string mode_sentence(const StoredGate& gate) {
  return gate.mode == "warn"     ? "Mode warn: the verdict is told and fails nothing."
         : gate.mode == "shadow" ? "Mode shadow: the verdict is recorded and fails nothing."
                                 : "";
}

// The first few; the others open by a click.
void append_doubts(const std::vector<std::string>& all, Markup& html) {
  std::vector<std::string> first;
  std::vector<std::string> rest;
  for (const std::string& doubt : all) {
    (first.size() < kMostBanner ? first : rest).push_back(doubt);
  }
  html.append(trust_banner(first));
  if (!rest.empty()) {
    html.append(
        folded(counted(static_cast<std::int64_t>(rest.size()), "more doubt"), bullets(rest)));
  }
}

std::string slices_text(const GateRecord& record) {
  std::int64_t clean = 0, tainted = 0;
  for (const auto* pairs : {&record.pairs, &record.lost_pairs}) {
    for (const GatePair& pair : *pairs) {
      for (const GateProcess* side : {&pair.baseline, &pair.candidate}) {
        clean += side->clean_slices;
        tainted += side->tainted_slices;
      }
    }
  }
  return clean + tainted == 0
             ? "not known"
             : grouped(clean) + " of " + grouped(clean + tainted) + " slices count";
}

void append_tiles(const GateRecord& record, const StoredGateRow* row, Markup& html) {
  const StoredGate& gate = *record.result.gate;
  html.open("dl", {{"class", "tiles"}}).line();
  const std::size_t lost = record.lost_pairs.size();
  html.append(tile(
      "pairs",
      std::to_string(record.pair_count),
      slices_text(record) + (lost == 0 ? "" : ", " + std::to_string(lost) + " more were lost")));
  if (row != nullptr) {
    html.append(tile("smallest detectable here",
                     row->mde ? share_text(*row->mde) : "not known",
                     "worsening that 90 % of such gates find, by its own pairs"));
    html.append(tile("smallest detectable, calibrated",
                     record.calibrated_mde ? share_text(*record.calibrated_mde) : "not calibrated",
                     record.calibrated_mde ? "by equal processes of this machine"
                                           : "tune calibrate would tell"));
  }
  if (record.exit_code) {
    html.append(tile("exit code",
                     std::to_string(*record.exit_code),
                     "mode " + (gate.mode.empty() ? "not known" : gate.mode) + ", inconclusive: " +
                         (gate.inconclusive.empty() ? "not known" : gate.inconclusive)));
  }
  html.close().line();
}

std::string effort_of(const GateRecord& record) {
  const StoredResult& result = record.result;
  const std::size_t processes = result.trials.size();
  std::string text = std::to_string(processes) + (processes == 1 ? " process" : " processes");
  text += result.elapsed_s ? " in " + format_seconds(*result.elapsed_s) : "";
  return text + ", started " + (result.started.empty() ? "at a time not known" : result.started) +
         ".";
}

}  // namespace

Markup gate_answer_section(const GateRecord& record) {
  const StoredResult& result = record.result;
  const auto rows = worst_first(result.gate->rows, true);
  const StoredGateRow* const worst = rows.empty() ? nullptr : rows.front();
  Markup html;
  html.open("header").line();
  html.leaf("h1", "tune gate: " + shortened(result.scenario.name, kLongestName)).line();
  if (!record.description.empty()) {
    html.append(paragraph(shortened(record.description, kLongestDescription), "quiet"));
  }
  html.leaf("p",
            shortened(record.headline, kLongestHeadline),
            {{"class", "headline"}, {"id", "headline"}});
  html.line();
  const std::string &candidate = result.gate->candidate.words,
                    &baseline = result.gate->baseline.words;
  if (!candidate.empty() || !baseline.empty()) {
    html.append(paragraph("Candidate: " + shortened(candidate, kLongestDetail) +
                          ". Baseline: " + shortened(baseline, kLongestDetail) + "."));
  }
  if (const std::string mode = mode_sentence(*result.gate); !mode.empty()) {
    html.append(paragraph(mode));
  }
  if (const auto& anchor = result.gate->anchor;
      anchor && result.gate->why.starts_with("against the anchor")) {
    html.append(paragraph("What follows is against the baseline; the verdict is the anchor's, " +
                          shortened(anchor->words, kLongestDetail) + ", below."));
  }
  html.open("dl", {{"class", "facts"}}).line();
  for (const GateFact& fact : worst == nullptr ? facts_of(*result.gate) : facts_of(*worst)) {
    append_fact(html, fact);
  }
  html.close().line();
  append_doubts(result.warnings, html);
  append_tiles(record, worst, html);
  html.append(paragraph(effort_of(record), "quiet"));
  return html.close().line();
}

Markup gate_findings_section(const GateRecord& record) {
  Markup html;
  if (record.findings.empty()) {
    return html;
  }
  std::vector<std::string> lines;
  for (const std::string& finding : record.findings) {
    lines.push_back(shortened(finding, kLongestHeadline));
  }
  html.open("section").leaf("h2", "What the rules say").line();
  return html.append(bullets(lines)).close().line();
}

Markup gate_build_section(const GateRecord& record) {
  Markup html;
  if (record.build_output.empty()) {
    return html;
  }
  html.open("section").leaf("h2", "What the build printed").line();
  html.append(paragraph("Its end; nothing was measured."));
  html.append(preformatted(record.build_output));
  return html.close().line();
}

}  // namespace tune::report
