#include "measure/campaign/progress.h"

#include "base/assert.h"
#include "measure/campaign/epoch_check.h"
#include "measure/campaign/proposal.h"
#include "scenario/plan.h"

#include <algorithm>

namespace tune::campaign {

namespace {

// Shares of the budget. A trial that has begun may take longer than the last one did, so the search
// stops at the budget itself; pairs may use part of the 5 % by which a campaign may exceed it.
constexpr double kReserveMargin = 1.05;
constexpr double kLargestReserve = 0.4;
constexpr double kLargestForOne = 0.7;  // a search without a verdict is worth little
constexpr double kPairLimit = 1.03;
constexpr double kBegunRoundLimit = 1.05;  // without its last trial a round is lost

std::int64_t scaled(std::int64_t ns, double factor) {
  return static_cast<std::int64_t>(static_cast<double>(ns) * factor);
}

// By this run or, of a shard, by the one that all shards are joined to.
bool is_confirmed_somewhere(const scenario::Scenario& scenario) {
  return scenario.verify != "none";
}

}  // namespace

Progress::Progress(const scenario::Scenario& scenario,
                   const scenario::Plan& plan,
                   const machine::MachineFacts& machine,
                   const std::optional<Proposals>& proposals)
    : scenario_(scenario),
      plan_(plan),
      proposals_(proposals.value_or(Proposals{})),
      has_proposals_(proposals.has_value()),
      yardstick_{scenario, machine.memory_limit_bytes},
      histories_(plan.cells.size()),
      gains_(plan.cells.size()),
      cost_(scenario, plan.cells.size()),
      search_(scenario, plan, "search"),
      budget_ns_(scenario.budget_ns) {
  TUNE_ASSERT(!plan.cells.empty());
  if (scenario.exhaustive && scenario::nothing_to_audit(scenario, plan).empty()) {
    audit_.emplace(scenario, plan, "audit");
  }
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    index_.emplace(plan.cells[i].id, i);
  }
  histories_[0].is_baseline = true;
  search_.favour(favoured_cells(plan, proposals_));
  for (StageHistory* const stage : {&histories_[0].warmup, &histories_[0].search}) {
    stage->machines = std::max<std::int64_t>(1, scenario.joined_shards);
  }
}

void Progress::add(const TrialRecord& record) {
  const auto found = index_.find(record.spec.cell);
  TUNE_ASSERT(found != index_.end());
  const std::size_t cell = found->second;
  if (record.stage == "confirm" && !cost_before_pairs_) {
    cost_before_pairs_ = cost_;
    profile_ns_before_pairs_ = longest_profile_ns_;
  }
  campaign::add(histories_[cell], record, yardstick_);
  if (record.stage == "search") {
    search_.add(cell, record, histories_[cell]);
    if (audit_) {
      audit_->leave_out(search_.closed());
    }
  } else if (record.stage == "audit" && audit_) {
    audit_->add(cell, record, histories_[cell]);
  }
  cost_.add(cell, record);
  if (record.stage != "ladder") {
    longest_profile_ns_ = std::max(longest_profile_ns_, profile_ns(record));
  } else if (record.round == 1) {  // a resumed one continues as it began
    records_ladder_ =
        record.spec.profile || (record.outcome.reply && record.outcome.reply->profile);
  }
  ++done_;
  search_ranking_.reset();
  if (cell == 0) {  // all are compared with it
    gains_.assign(histories_.size(), std::nullopt);
  } else {
    gains_[cell].reset();
  }
}

bool Progress::baseline_given_up() const {
  const CellHistory& baseline = histories_[0];
  if (baseline.warmup.given_up() || baseline.search.given_up() || baseline.audit.given_up() ||
      baseline.confirm.given_up()) {
    return true;
  }
  return !search_.next() && baseline.search.rates.empty();
}

std::optional<Slot> Progress::warmup_slot() const {
  const StageHistory& warmup = histories_[0].warmup;
  if (!scenario_.warmup_is_auto || !warmup.rates.empty() || done_ > warmup.tries()) {
    return std::nullopt;  // found, or a run that has begun without
  }
  const auto tries = static_cast<std::int64_t>(warmup.finished.size());
  return Slot{.stage = "warmup", .round = tries + 1, .slices = 1};
}

bool Progress::search_begun() const {
  return audit_begun() || confirmation_begun() ||
         std::any_of(histories_.begin(), histories_.end(), [](const CellHistory& history) {
           return !history.search.attempts.empty();
         });
}

bool Progress::audit_begun() const {
  return std::any_of(histories_.begin(), histories_.end(), [](const CellHistory& history) {
    return !history.audit.attempts.empty();
  });
}

bool Progress::audit_is_whole() const {
  return audit_ && audit_begun() && !audit_->next();
}

std::int64_t Progress::audit_left() const {
  std::int64_t left = 0;
  for (std::size_t cell = 0; audit_ && cell < histories_.size(); ++cell) {
    left += audit_->left(cell);
  }
  return left;
}

bool Progress::search_is_open() const {
  return scenario_.strategy == "grid" || !(confirmation_begun() || audit_begun());
}

// The next trial of the search, or of the audit after it.
std::optional<Slot> Progress::measuring_slot() const {
  auto slot = search_is_open() ? search_.next() : std::nullopt;
  return slot || !audit_ ? slot : audit_->next();
}

bool Progress::search_is_missing() const {
  return measuring_slot().has_value();
}

// Every cell in full says more than a search that left most of them out.
const std::vector<std::size_t>& Progress::candidates() const {
  return audit_is_whole() ? audit_->candidates() : search_.candidates();
}

std::int64_t Progress::full_ns(std::size_t cell) const {
  return cost_.of(cell, scenario_.measure.slices);
}

// As many as the scenario wants, but fewer where their first look alone would take more than the
// share of the budget that is kept for it: one cell that is judged beats two that are not.
std::size_t Progress::affordable_cells(const std::vector<std::size_t>& preferred) const {
  const auto most =
      static_cast<std::size_t>(is_confirmed_somewhere(scenario_) ? scenario_.confirm : 0);
  auto count = std::min(most, preferred.size());
  while (count > 1 && budget_ns_ &&
         scaled(first_look_ns(
                    {preferred.begin(), preferred.begin() + static_cast<std::ptrdiff_t>(count)},
                    "confirm"),
                kReserveMargin) > scaled(*budget_ns_, kLargestReserve)) {
    --count;
  }
  return count;
}

std::int64_t Progress::confirm_reserve_ns() const {
  if (plan_.cells.size() < 2 || !is_confirmed_somewhere(scenario_)) {
    return 0;
  }
  std::vector<std::size_t> cells = cells_to_confirm();
  if (cells.empty()) {
    cells = {1};
  }
  const std::int64_t wanted = scaled(first_look_ns(cells, "confirm"), kReserveMargin);
  const std::int64_t budget = budget_ns_.value_or(0);
  // Where the pairs of one cell do not fit either way, the search may as well use the time.
  return wanted <= scaled(budget, kLargestForOne) ? wanted : scaled(budget, kLargestReserve);
}

std::int64_t Progress::recording_ns(const Slot& slot) const {
  return is_recorded(slot) ? longest_profile_ns_ : 0;
}

// A round of pairs is begun as a whole, and the ladder only where its first look can be reached.
bool Progress::pairs_fit(const Slot& slot, std::int64_t elapsed_ns) const {
  const bool is_ladder = slot.stage == "ladder";
  std::int64_t need = slot_ns(slot) + recording_ns(slot);
  if (slot.position == 0) {  // half a round is worth nothing
    const ConfirmStanding confirmed = confirmation();
    const ConfirmStanding pairs =
        is_ladder ? confirm_standing(scenario_, ladder_cells(confirmed), histories_, slot.stage)
                  : confirmed;
    need = full_ns(0);
    std::int64_t recordings_ns = recording_ns(slot);  // of this round only
    for (const ConfirmRow& row : pairs.rows) {
      need += row.is_open ? full_ns(row.cell) : 0;
      recordings_ns += row.is_open ? recording_ns(slot) : 0;
    }
    need *= is_ladder && slot.round == 1 ? pairs.next_pairs : 1;
    need += recordings_ns;
  }
  const double limit = is_ladder ? 1 : slot.position == 0 ? kPairLimit : kBegunRoundLimit;
  return elapsed_ns + need <= scaled(*budget_ns_, limit);
}

bool Progress::fits(const Slot& slot, std::int64_t elapsed_ns) const {
  // The very first trial is the only way to learn what a trial costs.
  if (!budget_ns_ || slot.stage == "warmup" || slot.stage == "diagnose") {
    return !budget_ns_ || elapsed_ns < *budget_ns_;
  }
  if (slot.stage == "ceiling") {  // good to know, but not for a twentieth of the budget each
    return elapsed_ns <= *budget_ns_ / 5 && slot_ns(slot) <= *budget_ns_ / 20;
  }
  if (slot.stage == "epoch") {
    return elapsed_ns + epoch_trial_ns(histories_[slot.cell], scenario_.measure) <= *budget_ns_;
  }
  if (slot.stage == "confirm" || slot.stage == "ladder") {
    return pairs_fit(slot, elapsed_ns);
  }
  if (!cost_.measured()) {
    return elapsed_ns < *budget_ns_;
  }
  // A round without its baseline gives no gain: its time is kept until it has run.
  const auto baseline = slot.cell == 0 ? std::nullopt : run_of(slot).baseline_of(slot);
  const std::int64_t need = slot_ns(slot) + recording_ns(slot) +
                            (baseline ? slot_ns(*baseline) : 0) + confirm_reserve_ns();
  return elapsed_ns + need <= *budget_ns_;
}

// A cell that never ran is thought to take as long as the others, and those may be nothing but a
// baseline that is slow beyond measure. Where the pairs cannot come to a verdict any more, what is
// left of the budget serves nothing else, and a trial that would take more is cut off (run_trials).
bool Progress::may_surprise(const Slot& slot, std::int64_t elapsed_ns) const {
  const StageHistory& history = histories_[slot.cell].search;
  // A shard has no pairs of its own: it leaves their time to whoever confirms.
  if (scenario_.shard || slot.stage != "search" || slot.cell == 0 || !history.attempts.empty() ||
      run_of(slot).baseline_of(slot) || confirmation_begun() ||
      elapsed_ns >= budget_ns_.value_or(0)) {
    return false;
  }
  const std::vector<std::size_t> cells = cells_to_confirm();
  return cells.empty() || elapsed_ns + first_look_ns(cells, "confirm") > *budget_ns_;
}

std::optional<Slot> Progress::next(std::int64_t elapsed_ns) {
  auto slot = next_slot(elapsed_ns);
  if (slot) {
    slot->attempt = histories_[slot->cell].stage(slot->stage).next_attempt(slot->round);
  }
  return slot;
}

std::optional<Slot> Progress::next_slot(std::int64_t elapsed_ns) {
  if (baseline_given_up()) {
    end_ = End::baseline_failed;
    return std::nullopt;
  }
  if (auto opening = opening_slot(); opening && fits(*opening, elapsed_ns)) {
    return opening;
  }
  auto measuring = measuring_slot();
  if (measuring && fits(*measuring, elapsed_ns)) {
    return measuring;
  }
  // No other cell fits. The baseline's place was kept; should the trials since have taken longer
  // than they were thought to, it may use what is kept for the confirmation: without it the round
  // is lost.
  const bool is_begun =
      measuring &&
      std::any_of(histories_.begin(), histories_.end(), [&](const CellHistory& history) {
        return history.stage(measuring->stage).finished.contains(measuring->round);
      });
  auto baseline = is_begun ? run_of(*measuring).baseline_of(*measuring) : std::nullopt;
  if (baseline && elapsed_ns + slot_ns(*baseline) <= budget_ns_.value_or(0)) {
    return baseline;
  }
  if (measuring && may_surprise(*measuring, elapsed_ns)) {
    return measuring;
  }
  auto confirm = next_confirming(scenario_, cells_to_confirm(), histories_);
  if (confirm && fits(*confirm, elapsed_ns)) {
    return confirm;
  }
  auto rung = confirm || measuring ? std::nullopt : ladder_slot();
  if (rung) {
    choose_recording(*rung, elapsed_ns);
  }
  if (rung && fits(*rung, elapsed_ns)) {
    return rung;
  }
  auto epoch = confirm ? std::nullopt : next_epoch(scenario_, confirmation(), histories_);
  if (epoch && fits(*epoch, elapsed_ns)) {
    return epoch;
  }
  end_ = search_is_missing() || confirm ? End::budget : End::finished;
  return std::nullopt;
}

Progress::Rest Progress::rest() const {
  Rest rest;
  const auto warmup = warmup_slot();
  rest.trials += warmup ? 1 : 0;
  if (search_is_open()) {
    rest.is_known = scenario_.strategy == "grid" || !search_.next();
    for (std::size_t cell = 0; cell < histories_.size(); ++cell) {
      const std::int64_t left = search_.left(cell);
      rest.trials += left;
      rest.ns += left * full_ns(cell);
    }
  }
  for (std::size_t cell = 0; audit_ && cell < histories_.size(); ++cell) {
    rest.trials += audit_->left(cell);
    rest.ns += audit_->left(cell) * full_ns(cell);
  }
  const ConfirmStanding standing = confirmation();
  const bool will_confirm = scenario_.confirms() && plan_.cells.size() > 1;
  if (will_confirm && standing.rows.empty() && rest.trials > 0) {
    const auto rounds = confirm_looks(scenario_, "confirm", 1).pairs.front();
    rest.trials += 2 * rounds;
    rest.ns += rounds * (full_ns(0) + full_ns(1));
  }
  if (!standing.finished()) {
    add_pairs(standing, cells_to_confirm(), "confirm", rest);
  }
  return rest;
}

Progress::Rest Progress::rest_on_ladder() const {
  Rest rest;
  if (!scenario_.confirms() || proposals_.list.empty() || histories_[0].ladder.given_up()) {
    return rest;
  }
  const auto cells = ladder_cells(confirmation());
  if (!cells.empty()) {
    add_pairs(confirm_standing(scenario_, cells, histories_, "ladder"), cells, "ladder", rest);
  }
  return rest;
}

// To the next look.
void Progress::add_pairs(const ConfirmStanding& standing,
                         const std::vector<std::size_t>& cells,
                         const std::string& stage,
                         Rest& rest) const {
  std::int64_t rounds = 0;
  for (const ConfirmRow& row : standing.rows) {
    if (row.is_open) {
      const auto left = standing.next_pairs - static_cast<std::int64_t>(row.differences.size());
      rounds = std::max(rounds, left);
      rest.trials += left;
      rest.ns += left * full_ns(row.cell);
    }
  }
  rest.trials += rounds;
  rest.ns += rounds * full_ns(0);
  const auto next = next_confirming(scenario_, cells, histories_, stage);
  // In the round that has begun, some have run: the baseline, or cells that wait for it.
  const auto ran = [&](std::size_t cell) {
    return next && histories_[cell].stage(stage).finished.contains(next->round);
  };
  const bool has_baseline = ran(0);
  rest.trials -= has_baseline ? 1 : 0;
  rest.ns -= has_baseline ? full_ns(0) : 0;
  for (const ConfirmRow& row : standing.rows) {
    if (!has_baseline && row.is_open && ran(row.cell)) {
      rest.trials -= 1;
      rest.ns -= full_ns(row.cell);
    }
  }
}

}  // namespace tune::campaign
