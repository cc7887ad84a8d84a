// Sections of a gate's report.html that say on what it was measured, how, and how to do it again.

#include "base/units.h"
#include "report/gate_row_words.h"
#include "report/html_gate_sections.h"
#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "report/run_facts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

namespace {

using Align = RankedTable::Align;

constexpr std::size_t kLongestText = 300, kMostProcesses = 1'000;
constexpr std::size_t kLongestScenario = 200'000;

struct GateWord {
  const char *word, *meaning;
};

constexpr std::array<GateWord, 9> kWords = {
    {{"pair", "a fresh process of the baseline and one of the candidate, in random order"},
     {"slice", "steps timed as one block; one that other work disturbed does not count"},
     {"budget", "how much worse the candidate may be"},
     {"look", "when the pairs so far are judged; each spends a part of the error that is allowed"},
     {"REGRESSED", "certainly worse, and by more than the budget"},
     {"PASS", "certainly not worse than the budget"},
     {"IMPROVED", "certainly better, and by more than the budget; never fails"},
     {"INCONCLUSIVE", "noise allows both answers; the row says why"},
     {"ENV_SHIFT", "the machine itself differed between the sides"}}};

std::string ratio_words(const StoredNumber& number) {
  return gain_text(number.value.value_or(0)) +
         (number.lower ? " " + interval_words(number) : std::string());
}

std::string reason_words(const StoredNumber& number) {
  return number.reason.empty() ? "not recorded" : "not known (" + number.reason + ")";
}

// What the machine did while it measured.
std::vector<std::string> control_lines(const GateRecord& record) {
  const GateControls& controls = record.controls;
  std::vector<std::string> lines;
  lines.push_back(
      "Sentinel, the same work beside every process, candidate against baseline: " +
      (controls.sentinel.value ? ratio_words(controls.sentinel) : reason_words(controls.sentinel)) +
      (controls.machine_changed ? ": the machine itself changed." : "."));
  lines.push_back(
      "Running second costs: " +
      (controls.position.value ? ratio_words(controls.position) : reason_words(controls.position)) +
      ".");
  if (controls.taint_p) {
    lines.push_back("That both sides lost slices alike has a probability of " +
                    share_text(*controls.taint_p) + ".");
  }
  if (controls.epoch_estimated_s && controls.epoch_measured_s) {
    lines.push_back("One whole epoch of the candidate took " +
                    value_words(controls.epoch_measured_s, "s") +
                    "; computed from slices of the same process: " +
                    value_words(controls.epoch_estimated_s, "s") + ".");
  }
  for (const auto& [side, text] : {std::pair("Baseline: ", &controls.baseline_steadiness),
                                   std::pair("Candidate: ", &controls.candidate_steadiness)}) {
    if (!text->empty()) {
      lines.push_back(side + *text + ".");
    }
  }
  return lines;
}

HtmlTable processes_table(const GateRecord& record, bool failed) {
  HtmlTable table{
      .caption = failed ? "Processes that did not complete" : "Every process in the order run",
      .columns = {{"process"},
                  {"side"},
                  {"outcome"},
                  {"reason"},
                  {"duration", Align::right},
                  {"samples/s", Align::right}}};
  for (const StoredTrial& trial : record.result.trials) {
    const bool is_failed = trial.outcome != "completed";
    if ((failed && !is_failed) || table.rows.size() == kMostProcesses) {
      continue;
    }
    table.rows.push_back({shortened(trial.id, kLongestText),
                          shortened(trial.cell, kLongestText),
                          shortened(trial.outcome, kLongestText),
                          shortened(trial.reason, kLongestText),
                          trial.seconds ? format_seconds(*trial.seconds) : "not known",
                          trial.throughput ? number_text(*trial.throughput) : "not measured"});
  }
  return table;
}

// None where no process was started.
std::vector<std::string> method_lines_of(const GateRecord& record) {
  if (record.result.trials.empty() && record.pair_count == 0) {
    return {};
  }
  if (record.pair_count == 0 && record.lost_pairs.empty()) {
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
      std::string("Every process warms up for " + counted(record.warmup_steps, "step") +
                  (record.warmup_was_searched ? ", found by measuring" : ", as the scenario says") +
                  ", the same on both sides.")};
}

Markup words_of_gates() {
  Markup list;
  list.open("dl", {{"class", "fields"}}).line();
  for (const GateWord& word : kWords) {
    list.leaf("dt", word.word).leaf("dd", word.meaning).line();
  }
  list.close().line();
  return folded("Words of this report", list);
}

std::string or_unknown(const std::string& text) {
  return text.empty() ? "not known" : shortened(text, kLongestText);
}

}  // namespace

Markup gate_failures_section(const GateRecord& record) {
  Markup html;
  const HtmlTable failed = processes_table(record, true);
  if (failed.rows.empty()) {
    return html;
  }
  html.open("section").leaf("h2", "What failed").line().append(html_table(failed));
  return html.close().line();
}

Markup gate_machine_section(const GateRecord& record) {
  Markup html;
  html.open("section").leaf("h2", "Machine and environment").line();
  if (record.pair_count > 0) {
    html.append(bullets(control_lines(record)));
  }
  if (record.run.machine.cpus == 0) {
    html.append(paragraph("The machine was not recorded."));
    return html.close().line();
  }
  HtmlTable table{.caption = "What makes two gates comparable", .columns = {{"fact"}, {"value"}}};
  for (const auto& [name, value] : environment_facts(record.run)) {
    table.rows.push_back({name, shortened(value, 2 * kLongestText)});
  }
  html.append(html_table(table));
  return html.close().line();
}

Markup gate_method_section(const GateRecord& record) {
  Markup html;
  const std::vector<std::string> lines = method_lines_of(record);
  if (lines.empty()) {
    return html;
  }
  html.open("section").leaf("h2", "How it was measured").line();
  html.append(bullets(lines));
  if (const HtmlTable all = processes_table(record, false); !all.rows.empty()) {
    html.append(folded("All processes", html_table(all)));
    html.append(rest_in_json(record.result.trials.size() - all.rows.size(), "trial"));
  }
  return html.close().line();
}

Markup gate_reproduce_section(const GateRecord& record) {
  const StoredResult& result = record.result;
  Markup html;
  html.open("section").leaf("h2", "Run it again").line();
  html.append(record.run.command.empty() ? paragraph("The command was not recorded.")
                                         : preformatted(command_line(repeat_command(record.run))));
  html.append(paragraph(
      "Seed " + or_unknown(record.seed) + "; scenario " + or_unknown(result.scenario.file) +
      ", SHA-256 " + or_unknown(result.scenario.sha256) + "; tune " + or_unknown(result.version) +
      ", commit " + or_unknown(result.commit) + "."));
  if (!record.directory.empty()) {
    html.append(paragraph("To write this page again from the result.json beside it:"));
    html.append(preformatted(command_line({"tune", "report", record.directory})));
  }
  if (!result.scenario.text.empty()) {
    html.append(folded("The scenario, as it was gated",
                       preformatted(result.scenario.text.substr(0, kLongestScenario))));
  }
  if (!record.directory.empty()) {
    html.append(paragraph("Every number of this page, and more, is in that result.json."));
  }
  html.append(words_of_gates());
  return html.close().line();
}

}  // namespace tune::report
