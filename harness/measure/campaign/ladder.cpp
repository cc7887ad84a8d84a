#include "measure/campaign/ladder.h"

#include "base/stats/log_ratio.h"
#include "base/stats/quantile.h"
#include "measure/campaign/confirmation_result.h"
#include "measure/campaign/objective.h"
#include "measure/campaign/proposal.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tune::campaign {

namespace {

using stats::AdviceVerdict;

constexpr const char* kStage = "ladder";

/// A proposal that may be put on the ladder.
struct Step {
  std::size_t proposal = 0, cell = 0;
  bool is_confirmed = false;
  bool lost = false;  // in the search
};

// What the last look of the confirmation said; nothing where none has judged the cell.
std::optional<AdviceVerdict> verdict_of(const ConfirmStanding& standing, std::size_t cell) {
  for (const ConfirmRow& row : standing.rows) {
    if (row.cell == cell && !row.looks.empty()) {
      return row.looks.back().row.verdict;
    }
  }
  return std::nullopt;
}

bool has_failed(const CellHistory& history) {
  return history.search.given_up() || history.audit.given_up() || history.confirm.given_up() ||
         !history.broken_constraints.empty();
}

// Median gain of the search, on the log scale.
std::optional<double> searched_gain(const LadderGround& ground, std::size_t cell) {
  auto gains = ranked_gains(ground.histories, cell, ground.audit_is_whole);
  return gains.empty() ? std::nullopt : std::optional(stats::median(std::move(gains)));
}

std::vector<Step> steps_of(const LadderGround& ground) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < ground.proposals.list.size(); ++i) {
    const Proposal& proposal = ground.proposals.list[i];
    const auto cell =
        proposal.is_testable() ? cell_with(ground.plan, proposal.knobs) : std::nullopt;
    if (!cell || has_failed(ground.histories[*cell])) {
      continue;
    }
    const auto verdict = verdict_of(ground.confirmation, *cell);
    if (verdict == AdviceVerdict::refuted) {
      continue;
    }
    Step step{.proposal = i, .cell = *cell};
    step.is_confirmed = verdict == AdviceVerdict::confirmed;
    step.lost = !step.is_confirmed && searched_gain(ground, *cell).value_or(0) < 0;
    steps.push_back(step);
  }
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.lost, !a.is_confirmed) < std::tuple(b.lost, !b.is_confirmed);
  });
  return steps;
}

// False where another step has given one of the knobs another value.
bool merge(const trial::KnobSettings& more, trial::KnobSettings& settings) {
  for (const auto& [knob, value] : more) {
    const auto known = settings.find(knob);
    if (known != settings.end() && known->second != value) {
      return false;
    }
  }
  settings.insert(more.begin(), more.end());
  return true;
}

const Confirmation* find_pairs(const std::vector<Confirmation>& rows, const std::string& cell) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Confirmation& row) {
    return row.cell == cell && row.pairs > 0 && !row.verdict.empty();
  });
  return found == rows.end() ? nullptr : &*found;
}

class Climb {
 public:
  Climb(const RecordedRun& run,
        const LadderGround& ground,
        const std::vector<Confirmation>& confirmations)
      : ground_(ground), rungs_(plan_ladder(ground)), fresh_(confirmations) {
    std::vector<std::size_t> ran;
    for (const std::size_t cell : cells_to_climb(rungs_, ground)) {
      if (!ground.histories[cell].ladder.attempts.empty()) {
        ran.push_back(cell);
      }
    }
    const ConfirmStanding standing = confirm_standing(run.scenario, ran, ground.histories, kStage);
    for (Confirmation& row : confirmation_results(run, standing, ground.histories, kStage)) {
      fresh_.push_back(std::move(row));
    }
  }

  std::vector<LadderRung> results(const std::string& why_missing) const {
    std::vector<LadderRung> results;
    results.reserve(rungs_.size());
    double below = 0;  // the gain of the rung below; of the baseline none
    bool is_known = true;
    for (const Rung& rung : rungs_) {
      LadderRung result = result_of(rung, why_missing);
      if (result.pairs && is_known) {
        result.step_gain = (1 + result.pairs->gain.value.value_or(0)) / (1 + below) - 1;
      }
      if (rung.proposals.size() > 1) {
        add_product(rung, result);
      }
      is_known = result.pairs.has_value();
      below = is_known ? result.pairs->gain.value.value_or(0) : 0;
      results.push_back(std::move(result));
    }
    return results;
  }

 private:
  LadderRung result_of(const Rung& rung, const std::string& why_missing) const {
    LadderRung result;
    result.changed = rung.changed;
    result.rules.reserve(rung.proposals.size());
    for (const std::size_t proposal : rung.proposals) {
      result.rules.push_back(ground_.proposals.list[proposal].rule);
    }
    if (!rung.cell) {
      result.reason = "the grid has no cell with these settings";
      return result;
    }
    result.cell = ground_.plan.cells[*rung.cell].id;
    if (const Confirmation* const pairs = find_pairs(fresh_, result.cell)) {
      result.pairs = *pairs;
      result.reason = constraint_text(pairs->broken_constraints);
    } else {
      const StageHistory& ladder = ground_.histories[*rung.cell].ladder;
      result.reason = ladder.given_up() || ground_.histories[0].ladder.given_up()
                          ? "its trials failed"
                          : why_missing;
    }
    return result;
  }

  void add_product(const Rung& rung, LadderRung& result) const {
    double product = 1;
    std::string searched;
    for (const std::size_t proposal : rung.proposals) {
      const auto cell = cell_with(ground_.plan, ground_.proposals.list[proposal].knobs);
      const Confirmation* const pairs =
          cell ? find_pairs(fresh_, ground_.plan.cells[*cell].id) : nullptr;
      const auto log_gain = cell ? searched_gain(ground_, *cell) : std::nullopt;
      const std::string& rule = ground_.proposals.list[proposal].rule;
      if (pairs == nullptr && !log_gain) {
        result.product_reason = rule + " was not measured alone";
        return;
      }
      product *= 1 + (pairs != nullptr ? pairs->gain.value.value_or(0) : stats::gain_of(*log_gain));
      if (pairs == nullptr) {
        searched += (searched.empty() ? "" : ", ") + rule;
      }
    }
    result.product = product - 1;
    if (!searched.empty()) {
      result.product_reason = "from the search, not from fresh pairs: " + searched;
    }
    if (result.pairs && product > 0) {
      result.interaction = (1 + result.pairs->gain.value.value_or(0)) / product - 1;
    }
  }

  const LadderGround& ground_;
  std::vector<Rung> rungs_;
  std::vector<Confirmation> fresh_;  // of the confirmation, then of the ladder
};

}  // namespace

std::vector<Rung> plan_ladder(const LadderGround& ground) {
  std::vector<Rung> rungs;
  Rung rung;
  for (const Step& step : steps_of(ground)) {
    if (rungs.size() == kMostRungs || (step.lost && !rungs.empty())) {
      break;
    }
    Rung next = rung;
    if (!merge(ground.proposals.list[step.proposal].knobs, next.changed) ||
        next.changed == rung.changed) {
      continue;
    }
    next.proposals.push_back(step.proposal);
    next.cell = cell_with(ground.plan, next.changed);
    if (next.cell && has_failed(ground.histories[*next.cell])) {
      continue;
    }
    rungs.push_back(next);
    if (next.cell) {
      rung = std::move(next);
    }
  }
  return rungs;
}

std::vector<std::size_t> cells_to_climb(const std::vector<Rung>& rungs,
                                        const LadderGround& ground) {
  std::vector<std::size_t> cells;
  for (const Rung& rung : rungs) {
    if (rung.cell && !verdict_of(ground.confirmation, *rung.cell) &&
        !ground.histories[*rung.cell].ladder.given_up()) {
      cells.push_back(*rung.cell);
    }
  }
  return cells;
}

std::vector<LadderRung> ladder_results(const RecordedRun& run,
                                       const LadderGround& ground,
                                       const std::vector<Confirmation>& confirmations,
                                       const std::string& why_missing) {
  return Climb(run, ground, confirmations).results(why_missing);
}

}  // namespace tune::campaign
