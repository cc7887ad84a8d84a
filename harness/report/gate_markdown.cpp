#include "report/gate_markdown.h"

#include "base/units.h"
#include "report/gate_anchor_text.h"
#include "report/gate_findings.h"
#include "report/gate_text.h"
#include "report/markdown.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/run_facts.h"

#include <cmath>

namespace tune::report {

namespace {

using gate::GateResult;
using stats::GateVerdict;

constexpr std::size_t kMostRows = 20;
constexpr std::size_t kMostWarnings = 12;
constexpr std::size_t kLongestText = 400;

std::string safe(const std::string& text, std::size_t limit = kLongestText) {
  return escape_markdown(shortened(text, limit));
}

std::string table_text(const GateTable& table, std::size_t first, std::size_t end) {
  std::string text = "|";
  for (const std::string& name : table.heading) {
    text += " " + name + " |";
  }
  text += "\n|";
  for (std::size_t i = 0; i < table.heading.size(); ++i) {
    text += i == 0 || i + 1 == table.heading.size() ? "---|" : "---:|";
  }
  text += "\n";
  for (std::size_t i = first; i < end; ++i) {
    text += "|";
    for (const std::string& cell : table.rows[i]) {
      text += " " + safe(cell) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string rows_text(const GateTable& table) {
  if (table.rows.empty()) {
    return "";
  }
  const std::size_t shown = std::min(table.rows.size(), kMostRows);
  std::string text = table_text(table, 0, shown);
  if (shown < table.rows.size()) {
    text += "\n<details><summary>" + std::to_string(table.rows.size() - shown) +
            " more rows</summary>\n\n" + table_text(table, shown, table.rows.size()) +
            "\n</details>\n";
  }
  return text;
}

std::string reasons_text(const GateResult& result) {
  std::string text;
  for (const gate::Row& row : result.rows) {
    text += "- " + safe(row.metric) + ": " + safe(row.why) + "\n";
  }
  for (const gate::CountedRow& row : result.counted) {
    if (row.verdict != GateVerdict::pass) {
      text += "- " + safe(row.metric) + ": " + safe(row.why) + "\n";
    }
  }
  std::size_t listed = 0;
  for (const std::string& warning : gate_warnings(result)) {
    if (listed++ < kMostWarnings) {
      text += "- Note: " + safe(warning) + "\n";
    }
  }
  for (const std::string& finding : gate_finding_lines(result)) {
    text += "- Finding: " + safe(finding) + "\n";
  }
  for (const std::string& offer : gate_offers(result)) {
    text += "- " + safe(offer) + "\n";
  }
  return text;
}

std::string anchor_text(const GateResult& result) {
  if (!result.anchor) {
    return "";
  }
  const gate::Anchor& anchor = *result.anchor;
  const std::string rows = rows_text(gate_table(anchor.rows));
  std::string text = "\n### Against the anchor, " + safe(anchor.words) + "\n\n" + rows +
                     (rows.empty() ? "" : "\n") + "- " + safe(anchor_verdict_text(anchor)) + "\n";
  for (const gate::Row& row : anchor.rows) {
    text += "- " + safe(row.metric) + ": " + safe(row.why) + "\n";
  }
  for (const std::string& warning : anchor.warnings) {
    text += "- Note: " + safe(warning) + "\n";
  }
  return text + "- " + safe(anchor_move_text(anchor)) + "\n";
}

std::string looks_text(const GateResult& result) {
  if (result.look_records.empty()) {
    return "";
  }
  std::string text =
      "| look | pairs | alpha so far | metric | change | verdict "
      "|\n|---:|---:|---:|---|---:|---|\n";
  for (const gate::LookRecord& look : result.look_records) {
    for (const gate::Row& row : look.rows) {
      text += "| " + std::to_string(look.index + 1) + " | " + std::to_string(look.pairs) + " | " +
              share_text(look.alpha_total) + " | " + safe(row.metric) + " | " +
              gain_text(row.delta) + " | " + gate::verdict_word(row.verdict) + " |\n";
    }
  }
  return text;
}

std::string controls_text(const GateResult& result) {
  std::string text;
  if (result.environment) {
    text += "- Sentinel (the same work beside every process): " +
            gain_text(std::expm1(result.environment->estimate)) +
            (result.environment->is_shifted ? ", the machine itself changed" : "") + "\n";
  }
  if (result.position && result.position->blocks > 0) {
    text += "- Running second costs " + gain_text(std::expm1(result.position->log_ratio)) + "\n";
  }
  if (result.epoch) {
    text += "- One whole epoch of the candidate: " + metric_text(result.epoch->measured_s, "s") +
            ", computed in the same process: " + metric_text(result.epoch->estimated_s, "s") +
            " (" + gain_text(result.epoch->difference()) + ")\n";
  }
  if (result.policy.structural_only) {
    return "- Nothing was timed: one process a side counted one step\n";
  }
  if (result.end == gate::End::nothing_changed && result.pairs.empty()) {
    return "- Nothing was measured\n";
  }
  text += "- Warm-up: " + counted(result.warmup.steps, "step") +
          (result.warmup.was_searched ? ", found by measuring" : ", as the scenario says") +
          ", the same on both sides\n";
  text += "- " + safe(result.calibration) + "\n";
  return text;
}

std::string mode_text(const GateResult& result) {
  switch (result.policy.mode) {
    case gate::Mode::enforce:
      return "";
    case gate::Mode::warn:
      return "\nMode `warn`: the verdict is told and fails nothing.\n";
    case gate::Mode::shadow:
      return "\nMode `shadow`: the verdict is recorded and fails nothing.\n";
  }
  return "";
}

std::string record_text(const GateResult& result) {
  return "Baseline: " + safe(result.baseline.words) +
         ". Candidate: " + safe(result.candidate.words) + ". " +
         std::to_string(result.run.trials.size()) + " processes in " +
         format_time(result.run.elapsed_ns) + ", seed " + std::to_string(result.run.seed) +
         ".\n\nEnvironment: " + safe(environment_line(result.run)) + ".\n\nRun it again:\n\n    " +
         one_line(command_line(repeat_command(result.run))) + "\n";
}

}  // namespace

std::string gate_page_head(const std::string& scenario) {
  return "<!-- tune-gate: " + escape_markup(shortened(scenario, 100)) +
         " -->\n## tune gate: " + safe(scenario, 100) + "\n\n";
}

const char* verdict_sign(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::regressed:
      return "\xF0\x9F\x94\xB4";  // red circle
    case GateVerdict::inconclusive:
      return "\xE2\x9A\xAA";  // white circle
    case GateVerdict::improved:
    case GateVerdict::pass:
      break;
  }
  return "\xF0\x9F\x9F\xA2";  // green circle
}

std::string to_gate_markdown(const GateResult& result, std::size_t limit_bytes) {
  std::string page = gate_page_head(result.run.scenario.name) + verdict_sign(result.verdict) +
                     " **" + safe(gate_headline(result)) + "**\n" + mode_text(result);
  const std::string rows = rows_text(gate_table(result));
  if (!rows.empty()) {
    page += "\n" + rows;
  }
  const std::string reasons = reasons_text(result);
  if (!reasons.empty()) {
    page += "\n" + reasons;
  }
  page += anchor_text(result);
  const std::string looks = looks_text(result);
  std::string details =
      (looks.empty() ? "" : looks + "\n") + controls_text(result) + "\n" + record_text(result);
  details = "\n<details><summary>How it was measured</summary>\n\n" + details + "\n</details>\n";
  if (page.size() + details.size() > limit_bytes) {
    details = "\nDetails were left out, this page would be too long: they are in result.json.\n";
  }
  page += details;
  return page.size() <= limit_bytes ? page
                                    : page.substr(0, page.rfind('\n', limit_bytes - 100)) +
                                          "\n\nThe rest was left out; it is in result.json.\n";
}

}  // namespace tune::report
