#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/epoch_time.h"
#include "measure/campaign/steadiness.h"
#include "measure/campaign/taint.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tune::campaign {

/// What the recorded steps of a trial took, and the writing of their trace; 0 where it has none.
std::int64_t profile_ns(const TrialRecord& record);

/// Wall time, without recorded steps, of the next trial of a cell: what its trials took around
/// their slices, and so much a slice; of its own trials, else of all cells', else the least that
/// the scenario asks for and about a second to start.
class TrialCost {
 public:
  TrialCost(const scenario::Scenario& scenario, std::size_t cells);

  void add(std::size_t cell, const TrialRecord& record);
  std::int64_t of(std::size_t cell, std::int64_t slices) const;
  bool measured() const { return all_.trials > 0; }

  /// What `rounds` rounds of a whole trial of the baseline and of each of `cells` take, ns, nine
  /// times out of ten: the trials of the baseline say how far one is from the next (a process may
  /// be lucky with its memory). With fewer than three of them, the mean.
  std::int64_t of_rounds(std::int64_t rounds,
                         const std::vector<std::size_t>& cells,
                         std::int64_t slices) const;

 private:
  struct Sums {
    std::int64_t trials = 0, around_ns = 0;
    std::int64_t slices = 0, slice_ns = 0;
  };

  Sums expected_, all_;
  std::vector<Sums> cells_;
  std::vector<double> baseline_slices_ns_;  ///< of each trial with slices, the mean
};

/// Fresh pairs, in which a trial that was disturbed too much runs again.
bool is_paired(std::string_view stage);

/// What the finished trials of one stage say about one cell, by round.
struct StageHistory {
  std::map<std::int64_t, double> rates;   ///< samples per second, completed trials only
  std::map<std::int64_t, double> scores;  ///< ln of the objective, higher is better
  std::map<std::int64_t, bool> finished;  ///< whether it completed
  std::map<std::int64_t, std::int64_t> positions, attempts, kills;
  std::map<std::int64_t, EpochTime> epochs;  ///< where the size of the data is known
  SteadyTally steadiness;                    ///< of the trials that count
  SliceCount slices;                         ///< of the trials that count
  std::int64_t lasting_failures = 0;  ///< refused, out of memory: the next trial would end the same
  std::int64_t other_failures = 0;    ///< crashed, timed out, garbled: may be a bad moment
  std::int64_t machines = 1;          ///< that ran the cell, each with a second chance of its own

  /// It is not run again: the reason will repeat, or it has had its second chance.
  bool given_up() const { return lasting_failures > 0 || other_failures > machines; }

  std::int64_t tries() const;                           ///< in all rounds
  std::int64_t next_attempt(std::int64_t round) const;  ///< from 1
};

struct CellHistory {
  bool is_baseline = false;
  StageHistory warmup, diagnose, ceiling, search, audit, confirm, ladder, epoch;
  std::optional<EpochCheck> epoch_check;  ///< of the trial that ran a whole one undisturbed
  std::optional<std::int64_t> peak_memory_bytes;
  std::vector<std::string> broken_constraints;  ///< of the last trial that broke any
  /// The same of the ladder, apart: what is put on it may not change while it is climbed.
  std::vector<std::string> broken_on_ladder;
  /// Settings that were not in effect in any trial of search and audit; nothing: there was none.
  std::optional<std::set<std::string>> idle_knobs;

  /// In any stage whose trials do the work of the cell.
  bool has_completed() const;

  const StageHistory& stage(const std::string& name) const;
  StageHistory& stage(const std::string& name);

  /// The stage whose rounds say most about the cell: "audit" once the audit is whole, else
  /// "search"; where that never measured the cell, the other one. Of a baseline that ran in neither
  /// the trial before them, if there was one: a budget may end there.
  std::string ranked_stage(bool audit_is_whole) const;

  /// What trials of any stage that is judged broke: then the cell is shown, never recommended.
  const std::vector<std::string>& broken() const {
    return broken_constraints.empty() ? broken_on_ladder : broken_constraints;
  }
};

/// What a campaign measures all its trials by.
struct Yardstick {
  const scenario::Scenario& scenario;
  std::int64_t memory_limit_bytes = 0;
};

/// Whether the trial of the baseline was killed by what has nothing to do with it: others of the
/// same setting completed before, which `history` tells.
bool was_killed_from_outside(const CellHistory& history, const TrialRecord& record);

/// Takes one finished trial in. Where its slot is to run again, its round does not become finished:
/// others disturbed it too much, it was killed for the first time or from outside, or the baseline
/// failed where no later round would give it its second chance.
void add(CellHistory& history, const TrialRecord& record, const Yardstick& yardstick);

/// What there is of every round, in the order of rounds.
std::vector<double> values(const std::map<std::int64_t, double>& by_round);

/// Difference of the scores (the log gain, where throughput is the objective) of every round in
/// which both completed, in the order of rounds. A round whose baseline stalled is left out: of
/// three rounds or more, at most half of the median rate. That is our own cut: what the machine did
/// to one trial would be a gain of all others in its round.
std::vector<double> log_gains(const StageHistory& candidate, const StageHistory& baseline);

/// The same of a cell against the baseline, by the rounds of its ranked_stage().
std::vector<double> ranked_gains(const std::vector<CellHistory>& histories,
                                 std::size_t cell,
                                 bool audit_is_whole);

/// The same for people to read: the baseline's fresh pairs, which no search knows, tell as well
/// whether it stalled in a round. A search of one round said +1600 % of a cell that pairs found 12
/// % faster.
std::vector<double> reported_gains(const std::vector<CellHistory>& histories,
                                   std::size_t cell,
                                   bool audit_is_whole);

/// Indices of the cells with a gain that were not given up and break no constraint, best first: by
/// `median_gain`, that of their ranked_gains(); among those within 1 % of the best the one with the
/// fewest changed knobs, then the least memory, leads.
std::vector<std::size_t> ranking(
    const scenario::Plan& plan,
    const std::vector<CellHistory>& histories,
    const std::function<std::optional<double>(std::size_t)>& median_gain);

}  // namespace tune::campaign
