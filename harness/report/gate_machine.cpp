// What a gate says of the machine: what it did meanwhile, what it is, what can be detected on it.

#include "report/gate_row_words.h"
#include "report/gate_sections.h"
#include "report/number_text.h"
#include "report/run_facts.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestFact = 600, kLongestItem = 400;

std::string ratio_words(const result::Number& number) {
  return gain_text(number.value.value_or(0)) +
         (number.lower ? " " + interval_words(number) : std::string());
}

std::string reason_words(const result::Number& number) {
  return number.reason.empty() ? "not recorded" : "not known (" + number.reason + ")";
}

// What the machine did while it measured.
std::vector<std::string> control_lines(const GateRecord& record) {
  const result::GateControls& controls = record.gate().controls;
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
  for (const auto& [side, text] : {std::pair("Baseline: ", &controls.baseline_steadiness.why),
                                   std::pair("Candidate: ", &controls.candidate_steadiness.why)}) {
    if (!text->empty()) {
      lines.push_back(side + *text + ".");
    }
  }
  return lines;
}

std::string epoch_line(const result::GateControls& controls) {
  return "One whole epoch of the candidate: " + value_words(controls.epoch_measured_s, "s") +
         ", computed in the same process: " + value_words(controls.epoch_estimated_s, "s") + " (" +
         gain_text(*controls.epoch_estimated_s / *controls.epoch_measured_s - 1) + ")";
}

// The same for a comment, with what it was measured by.
std::vector<std::string> short_lines(const GateRecord& record) {
  if (record.is_structural) {
    return {"Nothing was timed: one process a side counted one step"};
  }
  if (record.result.gate->end == "nothing-changed" && record.gate().pair_count == 0) {
    return {"Nothing was measured"};
  }
  const result::GateControls& controls = record.gate().controls;
  std::vector<std::string> lines;
  if (controls.sentinel.value) {
    lines.push_back(
        "Sentinel (the same work beside every process): " + gain_text(*controls.sentinel.value) +
        (controls.machine_changed ? ", the machine itself changed" : ""));
  }
  if (controls.position.value) {
    lines.push_back("Running second costs " + gain_text(*controls.position.value));
  }
  if (controls.epoch_estimated_s && controls.epoch_measured_s) {
    lines.push_back(epoch_line(controls));
  }
  lines.push_back("Warm-up: " + warmup_words(record));
  if (!record.gate().calibration.empty()) {
    lines.push_back(shortened(record.gate().calibration, kLongestItem));
  }
  return lines;
}

bool is_timed(const GateRecord& record) {
  const auto& rows = record.result.gate->rows;
  return record.gate().pair_count > 0 || !record.gate().lost_pairs.empty() ||
         std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.is_measured; });
}

Table facts_table(const GateRecord& record) {
  Table table{.caption = "What makes two gates comparable", .columns = {{"fact"}, {"value"}}};
  for (const auto& [name, value] : environment_facts(record.result)) {
    table.rows.push_back({name, shortened(value, kLongestFact)});
  }
  return table;
}

}  // namespace

std::string warmup_words(const GateRecord& record) {
  return counted(record.gate().warmup.steps, "step") +
         (record.gate().warmup.searched ? ", found by measuring" : ", as the scenario says") +
         ", the same on both sides";
}

Section gate_machine_section(const GateRecord& record) {
  Section section{.title = "Machine and environment"};
  section.add(List{short_lines(record)}, kInMarkdown);
  if (record.gate().pair_count > 0) {
    section.add(List{control_lines(record)}, kInHtml);
  }
  return record.result.environment.cpus == 0
             ? section.add(Sentence{"The machine was not recorded."}, kInHtml)
             : section.add(facts_table(record), kInHtml);
}

Section gate_environment_section(const GateRecord& record) {
  return Section{}.add(
      Sentence{"Environment: " + shortened(environment_line(record.result), kLongestItem) + "."},
      kInMarkdown);
}

Section gate_noise_section(const GateRecord& record) {
  Section section;
  if (record.gate().calibration.empty()) {
    return section;
  }
  if (!record.is_structural) {
    section.add(Sentence{record.gate().calibration}, kInTerminal);
  }
  return is_timed(record) ? section.add(Sentence{record.gate().calibration}, kInText) : section;
}

}  // namespace tune::report
