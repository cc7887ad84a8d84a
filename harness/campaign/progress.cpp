#include "campaign/progress.h"

#include "base/assert.h"
#include "campaign/round_order.h"

#include <algorithm>

namespace tune::campaign {

namespace {

constexpr std::size_t kMostConfirmedCells = 3;  // the best, and two more should it fail in pairs

// Shares of the budget. A trial that has begun may take longer than the last one did, so the search
// stops at the budget itself; pairs may use part of the 5 % by which a campaign may exceed it.
constexpr double kReserveMargin = 1.05;
constexpr double kLargestReserve = 0.4;
constexpr double kPairLimit = 1.03;

std::int64_t scaled(std::int64_t ns, double factor) {
  return static_cast<std::int64_t>(static_cast<double>(ns) * factor);
}

}  // namespace

Progress::Progress(const scenario::Scenario& scenario, const scenario::Plan& plan)
    : scenario_(scenario),
      plan_(plan),
      histories_(plan.cells.size()),
      cost_(scenario),
      budget_ns_(scenario.budget_ns) {
  TUNE_ASSERT(!plan.cells.empty());
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    index_.emplace(plan.cells[i].id, i);
  }
}

void Progress::add(const TrialRecord& record) {
  const auto cell = index_.find(record.spec.cell);
  TUNE_ASSERT(cell != index_.end());
  CellHistory& history = histories_[cell->second];
  const CellHistory before = history;
  campaign::add(history, record);
  cost_.add(before, history);
  ++done_;
}

bool Progress::baseline_given_up() const {
  const CellHistory& baseline = histories_[0];
  if (baseline.search.given_up() || baseline.confirm.given_up()) {
    return true;
  }
  // Its second chance is in the next round: after the last there is none.
  return round_ > scenario_.rounds && baseline.search.rates.empty();
}

const std::vector<std::size_t>& Progress::order_of(std::int64_t round) {
  if (ordered_round_ != round) {
    order_ = round_order(plan_.cells.size(), round_seed(scenario_.seed, "search", round));
    ordered_round_ = round;
  }
  return order_;
}

std::optional<Slot> Progress::next_search() {
  for (; round_ <= scenario_.rounds; ++round_, position_ = 0) {
    const auto& order = order_of(round_);
    for (; position_ < order.size(); ++position_) {
      const StageHistory& search = histories_[order[position_]].search;
      if (!search.given_up() && !search.finished.contains(round_)) {
        return Slot{"search", round_, static_cast<std::int64_t>(position_), order[position_]};
      }
    }
  }
  return std::nullopt;
}

std::optional<Slot> Progress::baseline_slot(std::int64_t round) {
  if (histories_[0].search.finished.contains(round)) {
    return std::nullopt;
  }
  const auto& order = order_of(round);
  const auto place = std::find(order.begin(), order.end(), std::size_t{0});
  return Slot{"search", round, place - order.begin(), 0};
}

std::optional<std::size_t> Progress::confirm_cell() const {
  std::size_t tried = 0;
  for (const std::size_t cell : ranking(plan_, histories_)) {
    const CellHistory& history = histories_[cell];
    if (!history.search.given_up() && !history.confirm.given_up()) {
      return cell;
    }
    tried += history.confirm.finished.empty() ? 0 : 1;
    if (tried == kMostConfirmedCells) {
      break;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> Progress::provisional_best() const {
  if (round_ == 1) {
    return std::nullopt;
  }
  const auto order = ranking(plan_, histories_);
  return order.empty() ? std::nullopt : std::optional(order.front());
}

std::int64_t Progress::confirm_rounds_of(std::size_t cell) const {
  std::int64_t rounds = 0;
  for (const auto& [round, completed] : histories_[cell].confirm.finished) {
    const auto& baseline = histories_[0].confirm.finished;
    const auto partner = baseline.find(round);
    rounds += completed && partner != baseline.end() && partner->second ? 1 : 0;
  }
  return rounds;
}

std::optional<Slot> Progress::next_confirm() const {
  const auto cell = confirm_cell();
  if (!cell || confirm_rounds_of(*cell) >= scenario_.confirm_rounds) {
    return std::nullopt;
  }
  // A round is over when both have ended, or when one has failed: half a pair says nothing.
  std::int64_t last = 0;
  for (const CellHistory& history : histories_) {
    const auto& finished = history.confirm.finished;
    last = std::max(last, finished.empty() ? 0 : finished.rbegin()->first);
  }
  std::int64_t in_last = 0;
  bool failed = false;
  for (const CellHistory& history : histories_) {
    const auto found = history.confirm.finished.find(last);
    if (found != history.confirm.finished.end()) {
      ++in_last;
      failed = failed || !found->second;
    }
  }
  const bool baseline_ran = histories_[0].confirm.finished.contains(last);
  const bool cell_ran = histories_[*cell].confirm.finished.contains(last);
  if (last > 0 && in_last == 1 && !failed && (baseline_ran || cell_ran)) {
    return Slot{"confirm", last, 1, baseline_ran ? *cell : 0};
  }
  const std::int64_t round = last + 1;
  return Slot{"confirm", round, 0, baseline_first(scenario_.seed, round) ? 0 : *cell};
}

std::int64_t Progress::pair_ns(std::size_t cell) const {
  return cost_.of(histories_[0]) + cost_.of(histories_[cell]);
}

std::int64_t Progress::confirm_reserve_ns() const {
  if (plan_.cells.size() < 2) {
    return 0;
  }
  const std::size_t cell = confirm_cell().value_or(1);
  const std::int64_t rounds =
      std::max<std::int64_t>(0, scenario_.confirm_rounds - confirm_rounds_of(cell));
  const std::int64_t wanted = scaled(rounds * pair_ns(cell), kReserveMargin);
  return std::min(wanted, scaled(budget_ns_.value_or(0), kLargestReserve));
}

bool Progress::fits(const Slot& slot, std::int64_t elapsed_ns) const {
  if (!budget_ns_) {
    return true;
  }
  if (slot.stage == "confirm") {
    const std::size_t cell = confirm_cell().value_or(slot.cell);
    const std::int64_t need = slot.position == 0 ? pair_ns(cell) : cost_.of(histories_[slot.cell]);
    return elapsed_ns + need <= scaled(*budget_ns_, kPairLimit);
  }
  // A round without its baseline gives no gain: its time is kept until it has run.
  const bool baseline_missing =
      slot.cell != 0 && !histories_[0].search.finished.contains(slot.round);
  const std::int64_t need = cost_.of(histories_[slot.cell]) +
                            (baseline_missing ? cost_.of(histories_[0]) : 0) + confirm_reserve_ns();
  // The very first trial is the only way to learn what a trial costs.
  return cost_.measured() ? elapsed_ns + need <= *budget_ns_ : elapsed_ns < *budget_ns_;
}

std::optional<Slot> Progress::next(std::int64_t elapsed_ns) {
  const auto search = baseline_given_up() ? std::nullopt : next_search();
  if (baseline_given_up()) {  // asked again: the search may just have ended
    end_ = End::baseline_failed;
    return std::nullopt;
  }
  if (search && fits(*search, elapsed_ns)) {
    return search;
  }
  if (search && search->cell != 0) {  // no other cell fits, the baseline's kept place does
    const auto baseline = baseline_slot(search->round);
    if (baseline && fits(*baseline, elapsed_ns)) {
      return baseline;
    }
  }
  const auto confirm = next_confirm();
  if (confirm && fits(*confirm, elapsed_ns)) {
    return confirm;
  }
  end_ = search || confirm ? End::budget : End::finished;
  return std::nullopt;
}

Progress::Rest Progress::rest() const {
  Rest rest;
  for (std::size_t i = 0; i < histories_.size(); ++i) {
    const StageHistory& search = histories_[i].search;
    const std::int64_t left =
        search.given_up() ? 0
                          : scenario_.rounds - static_cast<std::int64_t>(search.finished.size());
    rest.trials += left;
    rest.ns += left * cost_.of(histories_[i]);
  }
  const bool comes = rest.trials > 0 || confirm_cell();
  if (plan_.cells.size() > 1 && comes) {
    const std::size_t cell = confirm_cell().value_or(1);
    const std::int64_t rounds =
        std::max<std::int64_t>(0, scenario_.confirm_rounds - confirm_rounds_of(cell));
    const auto next = next_confirm();
    rest.trials += 2 * rounds;
    rest.ns += rounds * pair_ns(cell);
    if (next && next->position == 1) {  // of the pair that has begun one is done
      rest.trials -= 1;
      rest.ns -= pair_ns(cell) - cost_.of(histories_[next->cell]);
    }
  }
  return rest;
}

}  // namespace tune::campaign
