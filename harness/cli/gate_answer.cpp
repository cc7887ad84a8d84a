#include "cli/gate_answer.h"

#include "base/units.h"
#include "cli/answer.h"
#include "gate/run_gate.h"
#include "report/gate_anchor_text.h"
#include "report/gate_findings.h"
#include "report/gate_text.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "scenario/settle_device.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tune::cli {

namespace {

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, columns(text)), ' ');
  return right ? space + text : text + space;
}

std::string table_lines(const report::GateTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.heading.size(); ++i) {
    std::size_t width = columns(table.heading[i]);
    for (const auto& row : table.rows) {
      width = std::max(width, columns(row[i]));
    }
    widths.push_back(width);
  }
  std::string text;
  const auto add = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool right = i > 0 && i + 1 < cells.size();
      line += (i > 0 ? "  " : "") + padded(cells[i], widths[i], right);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add(table.heading);
  for (const auto& row : table.rows) {
    add(row);
  }
  return text;
}

std::string anchor_text(const gate::GateResult& result) {
  if (!result.anchor) {
    return "";
  }
  const gate::Anchor& anchor = *result.anchor;
  const report::GateTable table = report::gate_table(anchor.rows);
  return "\nagainst the anchor, " + report::one_line(anchor.words) + "\n" +
         (table.rows.empty() ? "" : table_lines(table)) +
         report::one_line(report::anchor_verdict_text(anchor)) + "\n" +
         report::one_line(report::anchor_move_text(anchor)) + "\n";
}

std::vector<std::string> warnings_of(const gate::GateResult& result) {
  std::vector<std::string> warnings = report::gate_warnings(result);
  if (result.anchor) {
    for (const std::string& warning : result.anchor->warnings) {
      warnings.push_back("anchor: " + warning);
    }
  }
  return warnings;
}

}  // namespace

std::string gate_answer(const gate::GateResult& result, const Terminal& terminal) {
  const report::GateTable table = report::gate_table(result);
  std::string text = "baseline:  " + report::one_line(result.baseline.words) +
                     "\ncandidate: " + report::one_line(result.candidate.words) + "\n";
  if (!table.rows.empty()) {
    text += "\n" + table_lines(table);
  }
  text += anchor_text(result) + "\n";
  for (const std::string& warning : warnings_of(result)) {
    text += yellow(terminal, "warning: " + report::one_line(warning)) + "\n";
  }
  for (const std::string& finding : report::gate_finding_lines(result)) {
    text += "finding: " + report::one_line(finding) + "\n";
  }
  for (const std::string& offer : report::gate_offers(result)) {
    text += report::one_line(offer) + "\n";
  }
  const bool is_timed = !result.policy.structural_only && !result.calibration.empty();
  text += is_timed ? result.calibration + "\n" : "";
  text += "report:  " + short_path(result.run.directory / "report.md") + "\n";
  text += "next:    tune report " + quoted(result.run.directory) + " --open\n";
  const std::string headline = report::one_line(report::gate_headline(result));
  const bool is_good =
      result.verdict == stats::GateVerdict::pass || result.verdict == stats::GateVerdict::improved;
  return text + (is_good ? green(terminal, headline) : bold(terminal, headline)) + "\n";
}

std::string gate_plan(const gate::GateResult& result, bool is_stored) {
  const std::int64_t sides = is_stored ? 1 : 2;
  const std::int64_t process_ns = gate::expected_process_ns(result.candidate.spec.measure);
  std::string text = "scenario        " + result.run.scenario.name + "\nbaseline        " +
                     report::one_line(result.baseline.words) + "\ncandidate       " +
                     report::one_line(result.candidate.words) + "\n";
  if (const std::string lost = scenario::lost_gpu_text(result.run.machine); !lost.empty()) {
    text += "note            " + report::one_line(lost) + "\n";
  }
  for (const std::string& note : result.run.scenario.notes) {
    text += "note            " + report::one_line(note) + "\n";
  }
  if (result.policy.structural_only) {
    return text + "processes       " + std::to_string(sides) + ", nothing is timed\n";
  }
  for (const gate::Budget& budget : result.policy.budgets) {
    text +=
        "metric          " + budget.metric + ", budget " + report::share_text(budget.ratio) + "\n";
  }
  text += "looks           ";
  for (const std::int64_t pairs : result.looks.pairs) {
    text += (pairs == result.looks.pairs.front() ? "" : ", ") + std::to_string(pairs);
  }
  text += (is_stored ? " fresh processes, each beside one of the baseline; alpha "
                     : " pairs of fresh processes; alpha ") +
          report::share_text(2 * result.looks.alpha) + " over all of them\n";
  text += "wall time       at least " +
          format_time(sides * process_ns * result.looks.pairs.front()) +
          " (decided at the first look) to " +
          format_time(sides * process_ns * result.looks.pairs.back()) + ", " +
          format_time(process_ns) + " a process\n";
  text += "detectable      " +
          (result.calibrated_mde ? report::share_text(*result.calibrated_mde) +
                                       " with 90 % power (" + result.calibration + ")"
                                 : "not known: " + result.calibration) +
          "\n";
  return text;
}

}  // namespace tune::cli
