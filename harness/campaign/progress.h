#pragma once

#include "campaign/cell_history.h"
#include "campaign/trial_cost.h"
#include "scenario/cell.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tune::campaign {

/// One trial to be run.
struct Slot {
  std::string stage;          ///< "search" or "confirm"
  std::int64_t round = 0;     ///< from 1
  std::int64_t position = 0;  ///< in the round's order, from 0
  std::size_t cell = 0;       ///< index into the plan
  bool operator==(const Slot&) const = default;
};

/// Where a campaign stands, and what comes next: a function of the plan and of the finished trials
/// alone, so that a resumed campaign goes on exactly where it stopped. Time only decides whether
/// the next trial still fits the budget.
class Progress {
 public:
  enum class End { open, finished, budget, baseline_failed };

  Progress(const scenario::Scenario& scenario, const scenario::Plan& plan);

  void set_budget(std::optional<std::int64_t> budget_ns) { budget_ns_ = budget_ns; }

  /// Takes one finished trial in, in the order in which they ended.
  void add(const TrialRecord& record);

  /// What to run now, `elapsed_ns` after the campaign's beginning; nothing: see end().
  std::optional<Slot> next(std::int64_t elapsed_ns);
  End end() const { return end_; }

  /// Trials that a full run would still make, as far as is known now, and how long they take.
  struct Rest {
    std::int64_t trials = 0, ns = 0;
  };
  Rest rest() const;

  std::int64_t done() const { return done_; }
  bool baseline_given_up() const;
  const std::vector<CellHistory>& histories() const { return histories_; }

  /// The cell that the confirmation is about: the best of the search that did not fail in it.
  std::optional<std::size_t> confirm_cell() const;

  /// The best so far, from round one on; nothing before.
  std::optional<std::size_t> provisional_best() const;

 private:
  std::optional<Slot> next_search();
  std::optional<Slot> baseline_slot(std::int64_t round);
  std::optional<Slot> next_confirm() const;
  bool fits(const Slot& slot, std::int64_t elapsed_ns) const;
  std::int64_t confirm_reserve_ns() const;
  std::int64_t pair_ns(std::size_t cell) const;
  std::int64_t confirm_rounds_of(std::size_t cell) const;
  const std::vector<std::size_t>& order_of(std::int64_t round);

  const scenario::Scenario& scenario_;
  const scenario::Plan& plan_;
  std::vector<CellHistory> histories_;                  ///< one per cell of the plan
  std::unordered_map<std::string, std::size_t> index_;  ///< of a cell's id in the plan
  TrialCost cost_;
  std::optional<std::int64_t> budget_ns_;
  std::int64_t done_ = 0;
  std::int64_t round_ = 1;
  std::size_t position_ = 0;  ///< the search's cursor: everything before it is done or given up
  std::int64_t ordered_round_ = 0;
  std::vector<std::size_t> order_;
  End end_ = End::open;
};

}  // namespace tune::campaign
