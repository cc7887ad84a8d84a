#include "cli/run_display.h"

#include "base/units.h"
#include "campaign/recorded_run.h"
#include "report/headline.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

// "+116.3 %" and "12 rounds"
constexpr std::size_t kGainWidth = 9;
constexpr std::size_t kRoundsWidth = 8;

class QuietDisplay : public RunDisplay {
 public:
  void trial_begins(const campaign::Standpoint&) override {}
  void trial_ended(const campaign::Standpoint& standpoint,
                   const campaign::TrialRecord& record) override {
    if (record.outcome.kind != runner::OutcomeKind::completed) {
      std::cerr << trial_words(standpoint) << ": " << outcome_words(record) << "\n";
    }
  }
  void phase_began(const std::string&) override {}
  void tick() override {}
  void say(const std::string&) override {}
  void show_preparation(const std::string&) override {}
  void close() override {}
};

}  // namespace

std::unique_ptr<RunDisplay> make_quiet_display() {
  return std::make_unique<QuietDisplay>();
}

std::string trial_words(const campaign::Standpoint& standpoint) {
  const std::string id = campaign::trial_id(
      standpoint.slot.stage, standpoint.slot.round, standpoint.cell->id, standpoint.slot.attempt);
  return standpoint.cell->changed.empty() ? id : id + " " + report::setting_text(*standpoint.cell);
}

std::string stage_words(const campaign::Standpoint& standpoint) {
  const std::string& stage = standpoint.slot.stage;
  return stage == "confirm"    ? "confirming"
         : stage == "warmup"   ? "looking for the steady state"
         : stage == "diagnose" ? "recording the baseline"
         : stage == "ceiling"  ? "what model and loader can do alone"
         : stage == "audit"    ? "measuring every cell"
         : stage == "ladder"   ? "proposals together"
         : stage == "epoch"    ? "a whole epoch"
                               : "searching";
}

std::string outcome_words(const campaign::TrialRecord& record) {
  const runner::TrialOutcome& outcome = record.outcome;
  const auto rate = outcome.reply ? trial::throughput(*outcome.reply) : std::nullopt;
  if (outcome.kind == runner::OutcomeKind::completed && rate) {
    return report::number_text(*rate) + " samples/s";
  }
  return std::string(runner::name(outcome.kind)) +
         (outcome.reason.empty() ? "" : ": " + one_line(outcome.reason));
}

std::string best_words(const campaign::Standpoint& standpoint) {
  if (standpoint.ranking.empty()) {
    return "";
  }
  const campaign::Place& best = standpoint.ranking.front();
  return "provisional best after " + report::counted(best.rounds, "round") + ": " + best.cell->id +
         " " + report::setting_text(*best.cell) + ", " + report::gain_text(best.gain);
}

std::vector<std::string> ranking_lines(const campaign::Standpoint& standpoint) {
  std::vector<std::string> lines;
  for (const campaign::Place& place : standpoint.ranking) {
    std::string gain = report::gain_text(place.gain);
    gain.insert(0, kGainWidth - std::min(kGainWidth, gain.size()), ' ');
    std::string rounds = report::counted(place.rounds, "round");
    rounds.resize(std::max(kRoundsWidth, rounds.size()), ' ');
    std::string line = std::to_string(lines.size() + 1);
    line.append("  ").append(gain).append("  ").append(rounds).append("  ");
    line.append(place.cell->id).append(" ").append(report::setting_text(*place.cell));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string last_output(const campaign::TrialRecord& record) {
  constexpr std::size_t kMostLines = 6;
  constexpr std::size_t kLongestLine = 200;
  std::istringstream text(printable(record.outcome.stderr_tail));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) {
      lines.push_back(line);
    }
  }
  std::string kept;
  const std::size_t first = lines.size() - std::min(lines.size(), kMostLines);
  for (std::size_t i = first; i < lines.size(); ++i) {
    kept += "    | " + shortened(lines[i], kLongestLine) + "\n";
  }
  return kept;
}

}  // namespace tune::cli
