// How the cells rank, which of them get fresh pairs, and what those cost.

#include "campaign/profile_policy.h"
#include "campaign/progress.h"
#include "stats/quantile.h"

#include <algorithm>
#include <utility>

namespace tune::campaign {

// Recorded steps are a part of the confirmation; on the ladder they must fit beside its pairs.
std::int64_t Progress::first_look_ns(const std::vector<std::size_t>& cells,
                                     const std::string& stage) const {
  const bool has_begun = stage == "confirm" && cost_before_pairs_;
  const TrialCost& cost = has_begun ? *cost_before_pairs_ : cost_;
  std::int64_t round_ns = cost.of(0, scenario_.measure.slices);
  for (const std::size_t cell : cells) {
    round_ns += cost.of(cell, scenario_.measure.slices);
  }
  const std::int64_t recordings =
      stage == "confirm" ? profiled_in_confirmation(scenario_, cells.size()) : 0;
  return confirm_looks(scenario_, stage, cells.size()).pairs.front() * round_ns +
         recordings * (has_begun ? profile_ns_before_pairs_ : longest_profile_ns_);
}

// Worked out anew only for cells with new trials since the last call.
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
    search_ranking_ = std::move(order);
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
  const std::vector<std::size_t>& wanted = candidates();
  if (wanted.empty() || scenario_.shard) {
    return {};
  }
  // Should those fail in their pairs, the next best take their place.
  constexpr std::size_t kSpares = 2;
  std::vector<std::size_t> preferred = search_ranking();
  preferred.resize(std::min(preferred.size(), wanted.size() + kSpares));
  return confirmed_cells(preferred, affordable_cells(wanted), histories_);
}

std::vector<std::size_t> Progress::without_room() const {
  std::vector<std::size_t> cells = candidates();
  cells.resize(confirmation_begun()
                   ? std::min(cells.size(), static_cast<std::size_t>(scenario_.confirm))
                   : 0);
  const std::vector<std::size_t> confirmed = cells_to_confirm();
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
