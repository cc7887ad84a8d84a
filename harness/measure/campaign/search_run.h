#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/cell_history.h"
#include "measure/campaign/recorded_run.h"
#include "measure/search/history.h"
#include "measure/search/next_decision.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tune::campaign {

/// The cells of a plan as places in the grid of its knobs.
search::Space search_space(const scenario::Scenario& scenario, const scenario::Plan& plan);

/// The search of a campaign: its finished trials in the words of search/, and what comes next in
/// those of a campaign. A block is a round. Of a joined run the search is over: what is lost of it
/// stays lost, for no machine but its own could measure it again. The audit of a search is one,
/// too: a grid of its own rounds.
class SearchRun {
 public:
  /// The stage "search" follows the scenario's strategy; the stage "audit" is a grid.
  SearchRun(const scenario::Scenario& scenario, const scenario::Plan& plan, std::string stage);

  /// Takes a finished trial of this stage in, after `history` has.
  void add(std::size_t cell, const TrialRecord& record, const CellHistory& history);

  /// The next trial; nothing when the search is over. Blocks run in random order, the
  /// first one   /// with the baseline at its head, and what rules propose behind it.
  std::optional<Slot> next() const;

  /// The baseline's place in the round that `slot` belongs to, when it has not run yet.
  std::optional<Slot> baseline_of(const Slot& slot) const;

  /// Trials of the cell that are still to come, as far as is known: in all rounds of a grid, else
  /// in the block that runs.
  std::int64_t left(std::size_t cell) const;

  const search::Decision& decision() const;

  /// Those of the decision.
  const std::vector<std::size_t>& candidates() const;

  /// Cells that may not be measured (again): failed, out of memory (larger batches with it), or
  /// breaking a constraint.
  std::vector<std::size_t> closed() const;

  /// Proposed by rules: a search that chooses its cells tries them first, and keeps them as long as
  /// they may beat the leader. A whole grid does not care.
  void favour(std::vector<std::size_t> cells);

  /// For a grid: leaves these cells out.
  void leave_out(const std::vector<std::size_t>& cells);

 private:
  struct Ran {
    std::set<std::int64_t> rounds;
    bool is_given_up = false, is_left_out = false;
    bool is_closed() const { return is_given_up || is_left_out; }
  };

  const std::vector<Slot>& pending() const;
  std::vector<Slot> find_pending() const;
  std::vector<Slot> pending_of_grid() const;

  const scenario::Scenario& scenario_;
  std::string stage_;
  search::Space space_;
  search::Policy policy_;
  std::vector<search::Measurement> measurements_;
  search::History history_;  ///< of the measurements
  std::vector<Ran> ran_;     ///< by cell
  // Derived from the measurements; asked for many times between two trials. The first costs ms.
  mutable std::optional<search::Decision> decision_;
  mutable std::optional<std::vector<std::size_t>> candidates_;
  mutable std::optional<std::vector<Slot>> pending_;
  mutable std::int64_t first_open_round_ = 1;  ///< of a grid: all before it are whole
};

}  // namespace tune::campaign
