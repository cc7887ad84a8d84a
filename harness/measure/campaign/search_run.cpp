#include "measure/campaign/search_run.h"

#include "base/seeded_order.h"
#include "measure/search/whole_search.h"
#include "scenario/plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

namespace tune::campaign {

namespace {

search::Strategy strategy_of(const std::string& name) {
  return name == "grid"     ? search::Strategy::grid
         : name == "random" ? search::Strategy::random
                            : search::Strategy::guided;
}

// The knob's values in the grid and in the baseline, numbers ascending.
std::vector<trial::KnobValue> levels_of(const std::string& knob,
                                        const scenario::Plan& plan,
                                        const std::vector<trial::KnobValue>& written) {
  std::vector<trial::KnobValue> levels;
  const auto append = [&](const trial::KnobValue& value) {
    if (std::find(levels.begin(), levels.end(), value) == levels.end()) {
      levels.push_back(value);
    }
  };
  append(plan.cells.front().knobs.at(knob));
  std::for_each(written.begin(), written.end(), append);
  for (const scenario::Cell& cell : plan.cells) {  // a folded cell may have another value
    append(cell.knobs.at(knob));
  }
  const bool numeric = std::all_of(levels.begin(), levels.end(), [](const auto& value) {
    return std::holds_alternative<std::int64_t>(value);
  });
  if (numeric) {
    std::sort(levels.begin(), levels.end());
  }
  return levels;
}

// Random; but a search begins with its baseline, then with what rules propose: what a budget leaves
// out must not be the one that everything is compared with.
std::vector<std::size_t> in_order(const std::vector<std::size_t>& cells,
                                  const std::vector<std::size_t>& favoured,
                                  std::uint64_t seed,
                                  const std::string& stage,
                                  std::int64_t round) {
  std::vector<std::size_t> order;
  order.reserve(cells.size());
  for (const std::size_t place : seeded_order(cells.size(), seed, stage, round)) {
    order.push_back(cells[place]);
  }
  if (stage == "search" && round == 1) {
    const auto is_baseline = [](std::size_t cell) { return cell == 0; };
    const auto is_favoured = [&](std::size_t cell) {
      return std::find(favoured.begin(), favoured.end(), cell) != favoured.end();
    };
    const auto others = std::stable_partition(order.begin(), order.end(), is_baseline);
    std::stable_partition(others, order.end(), is_favoured);
  }
  return order;
}

}  // namespace

search::Space search_space(const scenario::Scenario& scenario, const scenario::Plan& plan) {
  search::Space space;
  space.cells.resize(plan.cells.size());
  for (const auto& [knob, written] : scenario.grid) {
    const auto levels = levels_of(knob, plan, written);
    search::Axis axis;
    axis.knob = knob;
    axis.numeric = levels.size() > 1 && std::holds_alternative<std::int64_t>(levels.front()) &&
                   std::holds_alternative<std::int64_t>(levels.back());
    for (const trial::KnobValue& level : levels) {
      axis.values.push_back(trial::to_text(level));
    }
    if (knob == "batch_size") {
      space.memory_axis = space.axes.size();
    }
    for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
      const auto place = std::find(levels.begin(), levels.end(), plan.cells[cell].knobs.at(knob));
      space.cells[cell].push_back(static_cast<std::size_t>(place - levels.begin()));
    }
    space.axes.push_back(std::move(axis));
  }
  return space;
}

SearchRun::SearchRun(const scenario::Scenario& scenario,
                     const scenario::Plan& plan,
                     std::string stage)
    : scenario_(scenario),
      stage_(std::move(stage)),
      space_(search_space(scenario, plan)),
      ran_(plan.cells.size()) {
  history_.cells.resize(plan.cells.size());
  const bool is_alone = plan.cells.size() == 1;  // the baseline, which no strategy chooses
  policy_.strategy = strategy_of(stage_ == "audit" || is_alone ? "grid" : scenario.strategy);
  policy_.whole_below = static_cast<std::size_t>(scenario::kSmallestGuided);
  policy_.seed = scenario.seed;
  policy_.rounds = scenario.rounds;
  policy_.slices = scenario.measure.slices;
  policy_.wanted = static_cast<std::size_t>(scenario.confirm);
}

void SearchRun::add(std::size_t cell, const TrialRecord& record, const CellHistory& history) {
  const StageHistory& own = history.stage(stage_);
  if (!own.finished.contains(record.round)) {
    return;  // the same slot runs again
  }
  search::Measurement measurement;
  measurement.cell = cell;
  measurement.block = record.round - 1;
  const auto score = own.scores.find(record.round);
  if (score != own.scores.end()) {
    measurement.slices = static_cast<std::int64_t>(record.outcome.reply->slices.size());
    measurement.score = score->second;
    measurement.peak_memory_bytes = trial::peak_memory_bytes(*record.outcome.reply);
    measurement.ending =
        history.broken_constraints.empty() ? search::Ending::completed : search::Ending::infeasible;
  } else if (record.outcome.kind == runner::OutcomeKind::out_of_memory) {
    measurement.ending = search::Ending::out_of_memory;
  } else {
    measurement.ending = own.given_up() ? search::Ending::failed : search::Ending::unusable;
  }
  measurements_.push_back(measurement);
  search::add(space_, measurement, history_);
  ran_[cell].rounds.insert(record.round);
  ran_[cell].is_given_up = own.given_up();
  decision_.reset();
  candidates_.reset();
  pending_.reset();
}

std::vector<std::size_t> SearchRun::closed() const {
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < history_.cells.size(); ++cell) {
    if (!history_.open(cell)) {
      cells.push_back(cell);
    }
  }
  return cells;
}

void SearchRun::favour(std::vector<std::size_t> cells) {
  space_.favoured = std::move(cells);
  decision_.reset();
  pending_.reset();
}

void SearchRun::leave_out(const std::vector<std::size_t>& cells) {
  for (const std::size_t cell : cells) {
    ran_[cell].is_left_out = true;
  }
  pending_.reset();
}

const search::Decision& SearchRun::decision() const {
  if (!decision_) {
    decision_ = search::next_decision(space_, measurements_, history_, policy_);
  }
  return *decision_;
}

// A grid needs no decision about what comes next.
const std::vector<std::size_t>& SearchRun::candidates() const {
  if (policy_.strategy != search::Strategy::grid) {
    return decision().candidates;
  }
  if (!candidates_) {
    candidates_ = search::whole_candidates(space_, history_, policy_);
  }
  return *candidates_;
}

// Any round may have lost a trial: a reply that was damaged since runs again. A round that was
// whole stays so.
std::vector<Slot> SearchRun::pending_of_grid() const {
  std::vector<Slot> slots;
  std::vector<std::size_t> cells(ran_.size());
  std::iota(cells.begin(), cells.end(), 0);
  for (; first_open_round_ <= scenario_.rounds && slots.empty();
       first_open_round_ += slots.empty() ? 1 : 0) {
    const std::int64_t round = first_open_round_;
    const auto order = in_order(cells, {}, scenario_.seed, stage_, round);
    for (std::size_t position = 0; position < order.size(); ++position) {
      const std::size_t cell = order[position];
      if (!ran_[cell].is_closed() && !ran_[cell].rounds.contains(round)) {
        slots.push_back(
            {stage_, round, static_cast<std::int64_t>(position), cell, scenario_.measure.slices});
      }
    }
  }
  return slots;
}

const std::vector<Slot>& SearchRun::pending() const {
  if (!pending_) {
    pending_ = find_pending();
  }
  return *pending_;
}

std::vector<Slot> SearchRun::find_pending() const {
  if (scenario_.joined_shards > 0) {  // a trial here would not belong to a round of another machine
    return {};
  }
  if (policy_.strategy == search::Strategy::grid) {
    return pending_of_grid();
  }
  std::vector<Slot> slots;
  const search::Decision& decided = decision();
  if (!decided.next) {
    return slots;
  }
  const search::Block& block = *decided.next;
  const std::int64_t round = block.number + 1;
  const auto order = in_order(block.cells, space_.favoured, scenario_.seed, stage_, round);
  for (std::size_t position = 0; position < order.size(); ++position) {
    const std::size_t cell = order[position];
    if (std::find(block.pending.begin(), block.pending.end(), cell) != block.pending.end()) {
      slots.push_back({stage_, round, static_cast<std::int64_t>(position), cell, block.slices});
    }
  }
  return slots;
}

std::optional<Slot> SearchRun::next() const {
  const auto& slots = pending();
  return slots.empty() ? std::nullopt : std::optional(slots.front());
}

std::int64_t SearchRun::left(std::size_t cell) const {
  if (policy_.strategy == search::Strategy::grid && scenario_.joined_shards == 0) {
    const auto ran = static_cast<std::int64_t>(ran_[cell].rounds.size());
    return ran_[cell].is_closed() ? 0 : std::max<std::int64_t>(0, scenario_.rounds - ran);
  }
  const auto& slots = pending();
  return std::count_if(
      slots.begin(), slots.end(), [&](const Slot& slot) { return slot.cell == cell; });
}

std::optional<Slot> SearchRun::baseline_of(const Slot& slot) const {
  for (const Slot& candidate : pending()) {
    if (candidate.cell == 0 && candidate.round == slot.round) {
      return candidate;
    }
  }
  return std::nullopt;
}

}  // namespace tune::campaign
