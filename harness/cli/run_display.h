#pragma once

#include "cli/terminal.h"
#include "measure/campaign/run_trials.h"
#include "measure/runner/trial_outcome.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tune::cli {

/// Shows on standard error how far a campaign is.
class RunDisplay : public campaign::Watcher {
 public:
  virtual void phase_began(const std::string& phase) = 0;
  virtual void tick() = 0;  ///< about twice a second while a trial runs
  /// A line that stays.
  virtual void say(const std::string& line) = 0;
  /// Data are being made; `what` may change. Called about ten times a second.
  virtual void show_preparation(const std::string& what) = 0;
  /// Takes away what was only for the moment.
  virtual void close() = 0;
};

/// A block of lines that change, below lines that stay: what runs now, and from round one on the
/// provisional ranking, as much of it as the terminal is high. For terminals.
std::unique_ptr<RunDisplay> make_status_block(ColorWish wish);

/// One line for each trial that ended, and a sign of life every 10 s; for files and pipes.
std::unique_ptr<RunDisplay> make_progress_lines();

/// Only what went wrong.
std::unique_ptr<RunDisplay> make_quiet_display();

// Words that both kinds share.

/// "r2-c07 amp=bf16 num_workers=2".
std::string trial_words(const campaign::Standpoint& standpoint);

/// What the trial is for: "searching", "confirming".
std::string stage_words(const campaign::Standpoint& standpoint);

/// "about 5m02s left"; "at most" of a search with a budget that may end before it, "at least" of one
/// without.
std::string left_words(const campaign::Standpoint& standpoint);

/// "104.2 samples/s", "crashed: SIGSEGV in phase warmup".
std::string outcome_words(const campaign::TrialRecord& record);

/// "provisional best after 2 rounds: c03 amp=bf16, +41.2 %", or "".
std::string best_words(const campaign::Standpoint& standpoint);

/// "1  +116.3 %  2 rounds  c07 amp=bf16 num_workers=2", one for each place; none in round one.
std::vector<std::string> ranking_lines(const campaign::Standpoint& standpoint);

/// The last lines of a failed trial's output, each indented; "" when there are none.
std::string last_output(const campaign::TrialRecord& record);

}  // namespace tune::cli
