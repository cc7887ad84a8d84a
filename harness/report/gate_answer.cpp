// What a reader of a gate needs without scrolling.

#include "base/units.h"
#include "report/gate_row_words.h"
#include "report/gate_sections.h"
#include "report/number_text.h"
#include "report/run_facts.h"
#include "scenario/gate_section.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestName = 120, kLongestDescription = 300, kLongestHeadline = 400;
constexpr std::size_t kLongestDetail = 200, kLongestItem = 400;
constexpr double kBudgetStep = 0.005;

const char* question_of(const result::GateRow& row) {
  const bool is_worse = worsening(row) >= 0;
  if (is_amount(row)) {
    return is_worse ? "How much more" : "How much less";
  }
  return is_worse ? "How much slower" : "How much faster";
}

Card fact(const char* question, std::string answer, const std::string& detail) {
  return {question, {std::move(answer)}, shortened(detail, kLongestDetail)};
}

std::vector<Card> facts_of(const result::GateRow& row) {
  const result::Number& change = row.delta;
  std::string sure = counted(row.pairs, "pair");
  if (change.lower && change.confidence) {
    sure = confidence_text(*change.confidence) + " confidence over all looks, " + sure;
  }
  return {fact(question_of(row),
               gain_text(change.value),
               row.metric + ": " + value_words(row.baseline, row.unit) + " to " +
                   value_words(row.candidate, row.unit)),
          fact("How sure",
               change.lower ? interval_words(change) : "no interval",
               change.lower ? sure : sure + (change.reason.empty() ? "" : ", ") + change.reason),
          fact("What the budget says",
               row.verdict + ", budget " + share_or(row.budget, "none"),
               row.why)};
}

// Nothing was measured, or not enough of it to look at.
std::vector<Card> facts_of(const result::Gate& gate) {
  const auto counts = worst_first(gate.rows, false);
  const auto changed = std::count_if(
      counts.begin(), counts.end(), [](const auto* row) { return row->verdict != "PASS"; });
  const bool is_counted = !counts.empty();
  return {
      fact("How much slower", "not measured", gate.end_reason.empty() ? gate.why : gate.end_reason),
      fact("How sure",
           is_counted ? "counted, exact" : "nothing is proven",
           is_counted ? std::to_string(changed) + " of " +
                            counted(static_cast<std::int64_t>(counts.size()), "count") +
                            " of one step differ"
                      : ""),
      fact("What the budget says", gate.verdict, gate.why)};
}

std::string slices_text(const GateRecord& record) {
  std::int64_t clean = 0, tainted = 0;
  for (const auto* pairs : {&record.gate().pairs, &record.gate().lost_pairs}) {
    for (const result::GatePair& pair : *pairs) {
      for (const result::GateProcess* side : {&pair.baseline, &pair.candidate}) {
        clean += side->clean_slices;
        tainted += side->tainted_slices;
      }
    }
  }
  return clean + tainted == 0
             ? "not known"
             : grouped(clean) + " of " + grouped(clean + tainted) + " slices count";
}

std::vector<Card> tiles_of(const GateRecord& record, const result::GateRow* row) {
  const result::Gate& gate = *record.result.gate;
  const std::size_t lost = record.gate().lost_pairs.size();
  std::vector<Card> tiles = {
      {"pairs",
       {std::to_string(record.gate().pair_count)},
       slices_text(record) + (lost == 0 ? "" : ", " + std::to_string(lost) + " more were lost")}};
  if (row != nullptr) {
    tiles.push_back({"smallest detectable here",
                     {share_or(row->mde, "not known")},
                     "worsening that 90 % of such gates would find, from its own pairs"});
    tiles.push_back({"smallest detectable, calibrated",
                     {share_or(record.gate().calibrated_mde, "not calibrated")},
                     record.gate().calibrated_mde ? "by equal processes of this machine"
                                                  : "tune calibrate would tell"});
  }
  if (record.gate().exit_code) {
    tiles.push_back({"exit code",
                     {std::to_string(*record.gate().exit_code)},
                     "mode " + (gate.mode.empty() ? "not known" : gate.mode) + ", inconclusive: " +
                         (gate.inconclusive.empty() ? "not known" : gate.inconclusive)});
  }
  return tiles;
}

std::string effort_of(const GateRecord& record) {
  const result::Result& result = record.result;
  const std::size_t processes = result.provenance.trials.size();
  std::string text = std::to_string(processes) + (processes == 1 ? " process" : " processes");
  text += result.provenance.elapsed ? " in " + format_seconds(*result.provenance.elapsed) : "";
  return text + ", started " +
         (result.provenance.started.empty() ? "at a time not known" : result.provenance.started) +
         ".";
}

Headline headline_of(const GateRecord& record, std::string text) {
  const std::string& verdict = record.result.gate->verdict;
  return {std::move(text),
          verdict == "REGRESSED"      ? Mood::bad
          : verdict == "INCONCLUSIVE" ? Mood::undecided
                                      : Mood::good};
}

void add_mode(const result::Gate& gate, Section& section) {
  if (gate.mode == "warn" || gate.mode == "shadow") {
    section.add(Sentence{"Mode ",
                         gate.mode,
                         gate.mode == "warn" ? ": the verdict is shown and fails nothing."
                                             : ": the verdict is recorded and fails nothing."},
                kInMarkdown | kInHtml);
  }
}

void add_sides(const result::Gate& gate, Section& section) {
  const std::string &candidate = gate.candidate.words, &baseline = gate.baseline.words;
  if (!candidate.empty() || !baseline.empty()) {
    section.add(Sentence{"Candidate: " + shortened(candidate, kLongestDetail) +
                         ". Baseline: " + shortened(baseline, kLongestDetail) + "."},
                kInHtml);
  }
}

// Each line cut, behind what says what they are.
List labelled(const char* label, const std::vector<std::string>& lines, std::size_t longest) {
  List list;
  for (const std::string& line : lines) {
    list.items.push_back(label + (longest == 0 ? line : shortened(line, longest)));
  }
  return list;
}

std::vector<std::string> offers_of(const GateRecord& record) {
  const result::Gate& gate = *record.result.gate;
  std::vector<std::string> offers;
  for (const result::GateRow& row : gate.rows) {
    if (!row.is_measured || row.verdict != "IMPROVED") {
      continue;
    }
    const double budget = kBudgetStep * std::ceil(row.mde.value_or(1) / kBudgetStep);
    if (budget < row.budget.value_or(0) && budget >= record.gate().min_effect.value_or(0)) {
      offers.push_back(row.metric + " improved, and " + share_text(*row.mde) +
                       " can be detected: a smaller budget would keep it so, gate: {budget: {" +
                       row.metric + ": " + scenario::share_text(budget) + "}}");
    }
  }
  const auto& judged = gate.after_the_fact;
  const bool is_of_run = judged && judged->kind == "run";
  const bool is_stored =
      !record.gate().stored_baseline.empty() && !gate.baseline.words.starts_with("baseline file ");
  if (is_stored && gate.verdict == "IMPROVED") {
    offers.push_back(
        "what improved can become the new baseline: tune baseline set " +
        command_line({judged ? judged->directory : record.result.provenance.directory}) +
        " --cell " + (is_of_run ? "baseline" : "candidate") + " --name " +
        record.gate().stored_baseline + " --force");
  }
  return offers;
}

}  // namespace

Section gate_answer_section(const GateRecord& record) {
  const result::Result& result = record.result;
  const result::Gate& gate = *result.gate;
  const auto rows = worst_first(gate.rows, true);
  const result::GateRow* const worst = rows.empty() ? nullptr : rows.front();
  Section section{.title = "tune gate: " + shortened(result.scenario.name, kLongestName),
                  .is_begin = true};
  if (!record.result.scenario.description.empty()) {
    section.add(Sentence{.text = shortened(record.result.scenario.description, kLongestDescription),
                         .is_quiet = true},
                kInHtml);
  }
  section.add(headline_of(record, shortened(record.headline, kLongestHeadline)),
              kInMarkdown | kInHtml);
  add_sides(gate, section);
  add_mode(gate, section);
  if (gate.anchor && gate.why.starts_with("against the anchor")) {
    section.add(Sentence{"What follows is against the baseline; the verdict is the anchor's, " +
                         shortened(gate.anchor->words, kLongestDetail) + ", below."},
                kInHtml);
  }
  section.add(Cards{worst == nullptr ? facts_of(gate) : facts_of(*worst), Cards::Kind::facts},
              kInHtml);
  section.add(Doubts{result.warnings}, kInHtml);
  section.add(Cards{tiles_of(record, worst)}, kInHtml);
  return section.add(Sentence{.text = effort_of(record), .is_quiet = true}, kInHtml);
}

Section gate_headline_section(const GateRecord& record) {
  return Section{}.add(headline_of(record, record.headline), kAsLines);
}

Section gate_doubts_section(const GateRecord& record) {
  Section section;
  section.add(Doubts{record.result.warnings}, kAsLines | kInMarkdown);
  if (const auto& anchor = record.result.gate->anchor) {
    section.add(Doubts{labelled("anchor: ", anchor->warnings, 0).items}, kInTerminal);
  }
  return section;
}

Section gate_offers_section(const GateRecord& record) {
  const std::vector<std::string> offers = offers_of(record);
  return Section{}
      .add(List{offers}, kInTerminal)
      .add(labelled("", offers, kLongestItem), kInMarkdown);
}

Section gate_build_section(const GateRecord& record) {
  Section section{.title = "What the build printed"};
  return record.build_output.empty() ? section
                                     : section.add(Sentence{"Its end; nothing was measured."})
                                           .add(Code{record.build_output});
}

}  // namespace tune::report
