#pragma once

#include "machine/machine_facts.h"
#include "measure/campaign/cell_history.h"
#include "measure/campaign/confirming.h"
#include "measure/campaign/ladder.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/search_run.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tune::campaign {

/// What a campaign has done, and what comes next: a function of the plan and of the finished trials
/// alone, so that a resumed campaign continues exactly where it stopped. Time only decides whether
/// the next trial still fits the budget.
///
/// First the warm-up of the baseline (where the scenario leaves its length open) and what a
/// diagnosis before the search needs (diagnose_first()), then the search, then its audit where one
/// is asked for, then the confirmation, then the ladder of what the rules proposed, last of all a
/// whole epoch where one is cheap. Diagnosis, ladder and epoch are optional: a run is complete
/// without. A guided or random search is over once the audit or the confirmation has begun.
/// Proposals change the order of the search, never a verdict. A shard is over after its search, and
/// keeps the time of its budget that a confirmation takes; a joined run begins behind the search.
class Progress {
 public:
  enum class End { open, finished, budget, baseline_failed };

  /// `proposals` are those of the ledger, if it has any, and `plan` has the cells that they add.
  Progress(const scenario::Scenario& scenario,
           const scenario::Plan& plan,
           const machine::MachineFacts& machine,
           const std::optional<Proposals>& proposals = std::nullopt);

  /// Somebody will ask the rules before the search: the baseline is recorded and its ceilings are
  /// measured before the first trial of the search.
  void diagnose_first() { diagnoses_ = true; }

  /// Further cells that the search tries first, behind those that the rules proposed.
  void favour_also(const std::vector<std::size_t>& cells);

  /// The data are files that may be dropped from memory for a moment.
  void allow_cold() { may_be_cold_ = true; }

  /// No rule was asked, and a trial of the baseline says something: one before the search, else, of
  /// a search that measures every cell, its first. Not once audit or confirmation has begun.
  bool wants_proposals() const;

  /// Whether steps of this trial are recorded after its measured window; of the ladder as next()
  /// decided, by what the budget has room for.
  bool is_recorded(const Slot& slot) const;

  void set_budget(std::optional<std::int64_t> budget_ns) { budget_ns_ = budget_ns; }

  /// Takes one finished trial in, in the order in which they ended.
  void add(const TrialRecord& record);

  /// What to run now, `elapsed_ns` after the campaign's beginning; nothing: see end().
  std::optional<Slot> next(std::int64_t elapsed_ns);
  End end() const { return end_; }

  /// Trials that a full run would still make, as far as is known now, and how long they take. A
  /// guided search knows its next block only.
  struct Rest {
    std::int64_t trials = 0, ns = 0;
    bool is_known = true;  ///< false: more may follow
  };
  Rest rest() const;
  /// The same of the ladder, on which no verdict of the search hangs: once nothing else is left.
  Rest rest_on_ladder() const;

  std::int64_t done() const { return done_; }
  bool baseline_given_up() const;
  const std::vector<CellHistory>& histories() const { return histories_; }

  /// What a full run promised is missing: cells or rounds of a grid or of the audit.
  bool search_is_missing() const;

  /// What the search decided; the audit changes nothing in it.
  const search::Decision& decision() const { return search_.decision(); }

  /// Every cell that may be measured has run in every round of the audit.
  bool audit_is_whole() const;

  /// Trials of the audit that are to come; 0 where there is none.
  std::int64_t audit_left() const;

  /// The confirmation, of the cells that it is about; no rows before the search has a candidate.
  ConfirmStanding confirmation() const;
  bool confirmation_begun() const;

  /// The cells that the search would have confirmed too, had the budget had room for their pairs,
  /// best first; none before the confirmation has begun.
  std::vector<std::size_t> without_room() const;

  /// What the ladder is built on; its parts live as long as `standing` and this.
  LadderGround ladder_ground(const ConfirmStanding& standing) const;

  /// Indices of cells: first those to confirm, for a search knows more than the median of a cell's
  /// own few rounds, then the others with a gain by that.
  const std::vector<std::size_t>& search_ranking() const;

  /// The same of the cells with a gain once round one is over; empty before.
  std::vector<std::size_t> provisional_ranking() const;

 private:
  struct MedianGain {
    std::optional<double> log;  ///< nothing: no round has both
  };

  std::optional<Slot> next_slot(std::int64_t elapsed_ns);
  std::optional<Slot> warmup_slot() const;
  std::optional<Slot> opening_slot() const;
  bool chooses_cells() const;
  bool records_first() const;
  bool search_begun() const;
  bool search_is_open() const;
  bool audit_begun() const;
  std::optional<Slot> measuring_slot() const;
  std::vector<std::size_t> ladder_cells(const ConfirmStanding& standing) const;
  std::optional<Slot> ladder_slot() const;
  const SearchRun& run_of(const Slot& slot) const {
    return slot.stage == "audit" ? *audit_ : search_;
  }
  const std::vector<std::size_t>& candidates() const;
  std::optional<double> median_gain(std::size_t cell) const;
  std::vector<std::size_t> cells_to_confirm() const;
  std::size_t affordable_cells(const std::vector<std::size_t>& preferred) const;
  bool fits(const Slot& slot, std::int64_t elapsed_ns) const;
  bool pairs_fit(const Slot& slot, std::int64_t elapsed_ns) const;
  void choose_recording(const Slot& rung, std::int64_t elapsed_ns);
  bool may_surprise(const Slot& slot, std::int64_t elapsed_ns) const;
  std::int64_t slot_ns(const Slot& slot) const { return cost_.of(slot.cell, slot.slices); }
  std::int64_t full_ns(std::size_t cell) const;
  void add_pairs(const ConfirmStanding& standing,
                 const std::vector<std::size_t>& cells,
                 const std::string& stage,
                 Rest& rest) const;
  std::int64_t first_look_ns(const std::vector<std::size_t>& cells, const std::string& stage) const;
  std::int64_t confirm_reserve_ns() const;
  std::int64_t recording_ns(const Slot& slot) const;

  const scenario::Scenario& scenario_;
  const scenario::Plan& plan_;
  Proposals proposals_;
  bool has_proposals_ = false;  ///< false: no rule was asked
  bool diagnoses_ = false, may_be_cold_ = false;
  Yardstick yardstick_;
  std::vector<CellHistory> histories_;                    ///< one per cell of the plan
  mutable std::vector<std::optional<MedianGain>> gains_;  ///< by cell; nothing: to be worked out
  mutable bool gains_are_audited_ = false;
  std::unordered_map<std::string, std::size_t> index_;  ///< of a cell's id in the plan
  TrialCost cost_;
  /// As it was when the confirmation began: the cells in it may not change while it runs.
  std::optional<TrialCost> cost_before_pairs_;
  std::int64_t profile_ns_before_pairs_ = 0;
  SearchRun search_;
  std::optional<SearchRun> audit_;  ///< nothing: not asked for, or it would measure nothing new
  std::optional<std::int64_t> budget_ns_;
  std::int64_t longest_profile_ns_ = 0;  ///< before the ladder
  bool records_ladder_ = true;           ///< false: the budget has room for its pairs alone
  std::int64_t done_ = 0;
  mutable std::optional<std::vector<std::size_t>> search_ranking_;  ///< of what has been added
  End end_ = End::open;
};

}  // namespace tune::campaign
