// How a gate measured, and how to do it again.

#include "base/units.h"
#include "report/gate_row_words.h"
#include "report/gate_sections.h"
#include "report/number_text.h"
#include "report/run_again.h"
#include "report/run_facts.h"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;

constexpr std::size_t kLongestText = 300, kMostProcesses = 1'000;
constexpr std::size_t kLongestScenario = 200'000;

constexpr std::array<std::pair<const char*, const char*>, 9> kWords = {
    {{"pair", "a fresh process of the baseline and one of the candidate, in random order"},
     {"slice", "steps timed as one block; one that other work disturbed does not count"},
     {"budget", "how much worse the candidate may be"},
     {"look", "when the pairs so far are judged; each spends a part of the error that is allowed"},
     {"REGRESSED", "certainly worse, and by more than the budget"},
     {"PASS", "certainly not worse than the budget"},
     {"IMPROVED", "certainly better, and by more than the budget; never fails"},
     {"INCONCLUSIVE", "noise allows both answers; the row says why"},
     {"ENV_SHIFT", "the machine itself differed between the sides"}}};

Table processes_table(const GateRecord& record, bool failed) {
  Table table{
      .caption = failed ? "Processes that did not complete" : "Every process in the order run",
      .columns = {{"process"},
                  {"side"},
                  {"outcome"},
                  {"reason"},
                  {"duration", Align::right},
                  {"samples/s", Align::right}}};
  for (const result::Trial& trial : record.result.provenance.trials) {
    const bool is_failed = trial.outcome != "completed";
    if ((failed && !is_failed) || table.rows.size() == kMostProcesses) {
      continue;
    }
    table.rows.push_back({shortened(trial.id, kLongestText),
                          shortened(trial.cell, kLongestText),
                          shortened(trial.outcome, kLongestText),
                          shortened(trial.reason, kLongestText),
                          trial.seconds ? format_seconds(*trial.seconds) : "not known",
                          number_text(trial.measured.throughput)});
  }
  return table;
}

// None where no process was started.
std::vector<std::string> method_lines_of(const GateRecord& record) {
  if (record.result.provenance.trials.empty() && record.gate().pair_count == 0) {
    return {};
  }
  if (record.gate().pair_count == 0 && record.gate().lost_pairs.empty()) {
    return {"No pair was measured. Counts are of one step of one process a side."};
  }
  return {
      std::string(
          "A pair is a fresh process of each side, next to each other in time; which of them goes "
          "first is random, so that what running second costs hits both."),
      std::string(
          "The difference of a pair is the logarithm of its ratio. Their estimate is that of "
          "Hodges and Lehmann, its interval the exact one of the signed-rank test: right for few "
          "pairs and for any noise."),
      std::string(
          "The interval covers all looks and all metrics together: to look often makes no false "
          "alarm."),
      std::string(
          "A slice that other work disturbed does not count; a process that lost more than 2 of 5 "
          "is measured again, at most twice. No profiler is present."),
      "Every process warms up for " + warmup_words(record) + "."};
}

Folded words_of_gates() {
  Glossary glossary;
  for (const auto& [word, meaning] : kWords) {
    glossary.words.push_back({word, meaning});
  }
  return {"Words of this report", {{std::move(glossary)}}};
}

}  // namespace

Section gate_failures_section(const GateRecord& record) {
  Section section{.title = "What failed"};
  Table failed = processes_table(record, true);
  return failed.rows.empty() ? section : section.add(std::move(failed));
}

Section gate_method_section(const GateRecord& record) {
  Section section{.title = "How it was measured"};
  std::vector<std::string> lines = method_lines_of(record);
  if (lines.empty()) {
    return section;
  }
  section.add(List{std::move(lines)});
  Table all = processes_table(record, false);
  if (const std::size_t listed = all.rows.size(); listed > 0) {
    section.add(Folded{"All processes", {{std::move(all)}}});
    if (const std::size_t rest = record.result.provenance.trials.size() - listed; rest > 0) {
      section.add(Sentence{rest_sentence(rest, "trial")});
    }
  }
  return section;
}

Section gate_again_section(const GateRecord& record) {
  const result::Result& result = record.result;
  Section section{.title = "Run it again",
                  .blocks = run_again(
                      result,
                      {.seed = seed_text(result.provenance),
                       .is_asked_for = is_seed_drawn(result) && !record.gate().after_the_fact})};
  const bool has_directory = !record.result.provenance.directory.empty();
  if (has_directory) {
    section.add(Sentence{"To write this page again from the result.json next to it:"}, kInHtml)
        .add(Code{command_line({"tune", "report", record.result.provenance.directory})}, kInHtml);
  }
  if (!result.scenario.text.empty()) {
    section.add(Folded{"The scenario, as it was gated",
                       {{Code{result.scenario.text.substr(0, kLongestScenario)}}}},
                kInHtml);
  }
  if (has_directory) {
    section.add(Sentence{"Every number of this page, and more, is in that result.json."}, kInHtml);
  }
  return section.add(words_of_gates(), kInHtml);
}

}  // namespace tune::report
