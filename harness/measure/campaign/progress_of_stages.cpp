// What the rules add to a campaign: the trials that they are asked about, best before the search,
// and the ladder of what they proposed after it.

#include "base/stats/quantile.h"
#include "measure/campaign/ceiling.h"
#include "measure/campaign/profiled_cell.h"
#include "measure/campaign/progress.h"
#include "measure/campaign/proposal.h"
#include "scenario/plan.h"

#include <algorithm>
#include <utility>

namespace tune::campaign {

namespace {

constexpr double kLargestShare = 0.25;  // of the budget, for the ladder
constexpr double kSpareShare = 0.05;    // for a ladder that takes a fifth longer than thought

}  // namespace

bool Progress::chooses_cells() const {
  return scenario_.strategy == "guided" &&
         static_cast<std::int64_t>(plan_.cells.size()) >= scenario::kSmallestGuided;
}

void Progress::favour_also(const std::vector<std::size_t>& cells) {
  std::vector<std::size_t> all = favoured_cells(plan_, proposals_);
  for (const std::size_t cell : cells) {
    if (std::find(all.begin(), all.end(), cell) == all.end()) {
      all.push_back(cell);
    }
  }
  search_.favour(std::move(all));
  search_ranking_.reset();
}

// A search that measures all cells anyway loses nothing by asking in the middle of it, and what is
// proposed then can still be proven on the ladder.
bool Progress::may_want_proposals() const {
  return !has_proposals_ && !audit_begun() && !confirmation_begun() &&
         !(search_begun() && chooses_cells());
}

bool Progress::wants_proposals() const {
  const CellHistory& baseline = histories_[0];
  const bool says_something =
      search_begun() ? !baseline.search.rates.empty()
                     : !baseline.warmup.rates.empty() || !baseline.diagnose.rates.empty();
  return says_something && may_want_proposals();
}

bool Progress::is_recorded(const Slot& slot) const {
  return is_profiled(scenario_, slot, records_first()) &&
         (slot.stage != "ladder" || records_ladder_);
}

// The trial that looks for the warm-up is recorded where there is one. Elsewhere a search that
// chooses its cells is worth a trial of its own: it begins with what the rules propose.
bool Progress::records_first() const {
  if (!histories_[0].diagnose.attempts.empty()) {
    return true;
  }
  return diagnoses_ && !has_proposals_ && !search_begun() && !scenario_.warmup_is_auto &&
         scenario_.profile_cells != "none" && chooses_cells();
}

std::optional<Slot> Progress::opening_slot() const {
  if (auto warmup = warmup_slot()) {
    return warmup;
  }
  if (!diagnoses_ || has_proposals_ || search_begun()) {
    return std::nullopt;
  }
  if (records_first() && histories_[0].diagnose.finished.empty()) {
    return Slot{.stage = "diagnose", .round = 1, .slices = 1};
  }
  return next_ceiling(scenario_, histories_[0], may_be_cold_);
}

LadderGround Progress::ladder_ground(const ConfirmStanding& standing) const {
  return {.plan = plan_,
          .proposals = proposals_,
          .confirmation = standing,
          .histories = histories_,
          .audit_is_whole = audit_is_whole()};
}

// From below as many rungs as the first look at them takes a share of the budget for. What a trial
// costs is known from what ran before the ladder, so that it stays the same all the way.
std::vector<std::size_t> Progress::ladder_cells(const ConfirmStanding& standing) const {
  const LadderGround ground = ladder_ground(standing);
  std::vector<std::size_t> cells = cells_to_climb(plan_ladder(ground), ground);
  while (budget_ns_ && !cells.empty() &&
         static_cast<double>(first_look_ns(cells, "ladder")) >
             kLargestShare * static_cast<double>(*budget_ns_)) {
    cells.pop_back();
  }
  return cells;
}

// A verdict is worth more than the steps that show where it comes from. Both sides alike: whoever
// begins the ladder decides for its first round.
void Progress::choose_recording(const Slot& rung, std::int64_t elapsed_ns) {
  if (rung.round == 1 && rung.position == 0 && rung.attempt == 1) {
    const auto spare_ns =
        static_cast<std::int64_t>(kSpareShare * static_cast<double>(budget_ns_.value_or(0)));
    records_ladder_ = true;
    records_ladder_ = fits(rung, elapsed_ns + spare_ns);
  }
}

std::optional<Slot> Progress::ladder_slot() const {
  if (!scenario_.confirms() || proposals_.list.empty() || histories_[0].ladder.given_up()) {
    return std::nullopt;
  }
  const auto cells = ladder_cells(confirmation());
  return cells.empty() ? std::nullopt : next_confirming(scenario_, cells, histories_, "ladder");
}

// How the cells rank, which of them get fresh pairs, and what those cost.

// Recorded steps are a part of the confirmation; on the ladder they must fit besides its pairs.
std::int64_t Progress::first_look_ns(const std::vector<std::size_t>& cells,
                                     const std::string& stage) const {
  const bool has_begun = stage == "confirm" && cost_before_pairs_;
  const TrialCost& cost = has_begun ? *cost_before_pairs_ : cost_;
  const std::int64_t recordings =
      stage == "confirm" ? profiled_in_confirmation(scenario_, cells.size()) : 0;
  const std::int64_t rounds = confirm_looks(scenario_, stage, cells.size()).pairs.front();
  return cost.of_rounds(rounds, cells, scenario_.measure.slices) +
         recordings * (has_begun ? profile_ns_before_pairs_ : longest_profile_ns_);
}

// Computed again only for cells with new trials since the last call.
std::optional<double> Progress::median_gain(std::size_t cell) const {
  std::optional<MedianGain>& known = gains_[cell];
  if (!known) {
    auto gains = ranked_gains(histories_, cell, gains_are_audited_);
    known.emplace();
    if (!gains.empty()) {
      known->log = stats::median(std::move(gains));
    }
  }
  return known->log;
}

namespace {

trial::KnobSettings in_effect(const scenario::Cell& cell, const CellHistory& history) {
  trial::KnobSettings changed = cell.changed;
  if (history.idle_knobs) {
    std::erase_if(changed,
                  [&](const auto& each) { return history.idle_knobs->contains(each.first); });
  }
  return changed;
}

// A cell with changes that no trial saw in effect ran as the cell without them. That one goes in
// its place, for a winner must not ask for what does nothing, and the cell itself goes last.
std::vector<std::size_t> without_idle_changes(const std::vector<std::size_t>& order,
                                              const scenario::Plan& plan,
                                              const std::vector<CellHistory>& histories) {
  std::vector<std::size_t> all, last;
  const auto add = [&](std::size_t cell) {
    if (std::find(all.begin(), all.end(), cell) == all.end()) {
      all.push_back(cell);
    }
  };
  for (const std::size_t cell : order) {
    const trial::KnobSettings changed = in_effect(plan.cells[cell], histories[cell]);
    if (changed.size() == plan.cells[cell].changed.size()) {
      add(cell);
      continue;
    }
    const auto same = cell_with(plan, changed);
    if (same && *same != 0 && !histories[*same].search.given_up() &&
        histories[*same].broken().empty()) {
      add(*same);
    }
    last.push_back(cell);
  }
  std::for_each(last.begin(), last.end(), add);
  return all;
}

}  // namespace

const std::vector<std::size_t>& Progress::search_ranking() const {
  if (!search_ranking_) {
    if (const bool is_audited = audit_is_whole(); is_audited != gains_are_audited_) {
      gains_are_audited_ = is_audited;
      gains_.assign(histories_.size(), std::nullopt);
    }
    std::vector<std::size_t> order = candidates();
    const std::vector<std::size_t> best = order;
    const auto gain_of = [&](std::size_t cell) { return median_gain(cell); };
    for (const std::size_t cell : ranking(plan_, histories_, gain_of)) {
      if (std::find(best.begin(), best.end(), cell) == best.end()) {
        order.push_back(cell);
      }
    }
    search_ranking_ = without_idle_changes(order, plan_, histories_);
  }
  return *search_ranking_;
}

std::vector<std::size_t> Progress::provisional_ranking() const {
  const auto next = search_.next();
  if (next && next->round == 1) {
    return {};
  }
  std::vector<std::size_t> order = search_ranking();
  std::erase_if(order, [&](std::size_t cell) { return !median_gain(cell); });
  return order;
}

std::vector<std::size_t> Progress::cells_to_confirm() const {
  if (candidates().empty() || scenario_.shard) {
    return {};
  }
  // What has begun stays, though another version of the search would have chosen other cells.
  std::vector<std::size_t> preferred = search_ranking();
  const auto begun =
      std::stable_partition(preferred.begin(), preferred.end(), [&](std::size_t cell) {
        return !histories_[cell].confirm.attempts.empty();
      });
  const auto count = std::max(candidates().size(),
                              static_cast<std::size_t>(std::distance(preferred.begin(), begun)));
  const std::vector<std::size_t> wanted(preferred.begin(),
                                        preferred.begin() + static_cast<std::ptrdiff_t>(count));
  // Should those fail in their pairs, the next best take their place.
  constexpr std::size_t kSpares = 2;
  preferred.resize(std::min(preferred.size(), wanted.size() + kSpares));
  const std::size_t affordable = affordable_cells(wanted);
  return confirmed_cells(preferred,
                         std::min(affordable, most_paired_cells(histories_).value_or(affordable)),
                         histories_);
}

std::vector<std::size_t> Progress::without_room() const {
  std::vector<std::size_t> cells = candidates();
  cells.resize(confirmation_begun()
                   ? std::min(cells.size(), static_cast<std::size_t>(scenario_.confirm))
                   : 0);
  const std::vector<std::size_t> confirmed = cells_to_confirm();
  if (confirmed.size() >= cells.size()) {
    return {};
  }
  std::erase_if(cells, [&](std::size_t cell) {
    return histories_[cell].confirm.given_up() ||
           std::find(confirmed.begin(), confirmed.end(), cell) != confirmed.end();
  });
  return cells;
}

bool Progress::confirmation_begun() const {
  return std::any_of(histories_.begin(), histories_.end(), [](const CellHistory& history) {
    return !history.confirm.attempts.empty();
  });
}

ConfirmStanding Progress::confirmation() const {
  return confirm_standing(scenario_, cells_to_confirm(), histories_);
}

}  // namespace tune::campaign
