#include "measure/campaign/confirming.h"

#include "base/seeded_order.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tune::campaign {

namespace {

std::int64_t last_round(const std::vector<CellHistory>& histories, const std::string& stage) {
  std::int64_t last = 0;
  for (const CellHistory& history : histories) {
    const auto& attempts = history.stage(stage).attempts;
    last = std::max(last, attempts.empty() ? 0 : attempts.rbegin()->first);
  }
  return last;
}

ConfirmRow make_row(std::size_t cell,
                    const std::vector<CellHistory>& histories,
                    const std::string& stage) {
  const StageHistory& baseline = histories[0].stage(stage);
  const StageHistory& candidate = histories[cell].stage(stage);
  ConfirmRow row;
  row.cell = cell;
  for (const auto& [round, score] : candidate.scores) {
    const auto partner = baseline.scores.find(round);
    if (partner != baseline.scores.end()) {
      row.differences.push_back(partner->second - score);
      row.orders.push_back(baseline.positions.at(round) < candidate.positions.at(round)
                               ? stats::PairOrder::baseline_first
                               : stats::PairOrder::candidate_first);
    }
  }
  return row;
}

// Half of the interval of the gain; infinite with too few pairs.
double half_width(const stats::Evidence& evidence) {
  return (std::exp(-evidence.lower) - std::exp(-evidence.upper)) / 2;
}

// A precision is asked for whatever the verdict is: that of the last look is the one that counts,
// since the intervals of all looks hold together.
bool wants_more(const stats::AdviceRow& row, const std::optional<double>& until) {
  return until ? half_width(row.evidence) > *until : row.verdict == stats::AdviceVerdict::ambiguous;
}

// Judges all open rows, from the first pairs only, so that a look is the same whenever it is taken.
void take_look(ConfirmStanding& standing, std::size_t index) {
  const std::int64_t pairs = standing.schedule.pairs[index];
  std::size_t called = 0;
  std::vector<ConfirmRow*> open;
  std::vector<stats::Row> rows;
  for (ConfirmRow& row : standing.rows) {
    if (row.is_open) {
      const auto end = row.differences.begin() + pairs;
      open.push_back(&row);
      rows.push_back({.differences = {row.differences.begin(), end}});
    } else if (!row.looks.empty() &&
               row.looks.back().row.verdict == stats::AdviceVerdict::confirmed) {
      ++called;
    }
  }
  const double alpha = standing.schedule.alpha_per_look();
  const auto verdicts = stats::advice_verdicts(
      rows, {.schedule = standing.schedule, .index = index, .rows_called = called});
  for (std::size_t i = 0; i < open.size(); ++i) {
    open[i]->looks.push_back({pairs, alpha, alpha * static_cast<double>(index + 1), verdicts[i]});
    open[i]->is_open = wants_more(verdicts[i], standing.until) && !standing.schedule.is_last(index);
  }
}

// Baseline and open cells of a round, in the order in which they run.
std::vector<std::size_t> order_of_round(const scenario::Scenario& scenario,
                                        std::vector<std::size_t> members,
                                        std::int64_t round,
                                        const std::string& stage) {
  const std::string stream = stage == "confirm" ? "pairs" : stage;
  std::sort(members.begin(), members.end());
  const std::int64_t block = (round - 1) / 2;
  std::vector<std::size_t> order;
  for (const std::size_t place : seeded_order(members.size(), scenario.seed, stream, block)) {
    order.push_back(members[place]);
  }
  if (round % 2 == 0) {
    std::reverse(order.begin(), order.end());
  }
  return order;
}

std::optional<double> wanted_precision(const scenario::Scenario& scenario,
                                       const std::string& stage) {
  return stage == "confirm" ? scenario.confirm_until : std::nullopt;
}

}  // namespace

bool ConfirmStanding::finished() const {
  return std::none_of(rows.begin(), rows.end(), [](const ConfirmRow& row) { return row.is_open; });
}

stats::LookSchedule confirm_looks(const scenario::Scenario& scenario,
                                  const std::string& stage,
                                  std::size_t rows) {
  stats::LookSchedule schedule = wanted_precision(scenario, stage)
                                     ? stats::make_precision_looks(stats::kAdviceAlpha, rows)
                                     : stats::make_looks(stats::kAdviceAlpha, rows);
  const auto most_rounds = round_limit(scenario, stage);
  if (most_rounds && *most_rounds < schedule.pairs.back()) {
    std::erase_if(schedule.pairs, [&](std::int64_t pairs) { return pairs >= *most_rounds; });
    schedule.pairs.push_back(*most_rounds);
  }
  return schedule;
}

std::vector<std::size_t> confirmed_cells(const std::vector<std::size_t>& preferred,
                                         std::size_t count,
                                         const std::vector<CellHistory>& histories) {
  std::vector<std::size_t> cells;
  for (const std::size_t cell : preferred) {
    if (cells.size() < count && !histories[cell].confirm.given_up()) {
      cells.push_back(cell);
    }
  }
  return cells;
}

std::optional<std::size_t> most_paired_cells(const std::vector<CellHistory>& histories) {
  const std::int64_t last = last_round(histories, "confirm");
  std::map<std::int64_t, std::size_t> cells_by_round;
  for (std::size_t cell = 1; cell < histories.size(); ++cell) {
    for (const auto& [round, completed] : histories[cell].confirm.finished) {
      cells_by_round[round] += round < last ? 1 : 0;
    }
  }
  std::size_t most = 0;
  for (const auto& [round, cells] : cells_by_round) {
    most = std::max(most, cells);
  }
  return most == 0 ? std::nullopt : std::optional(most);
}

std::optional<std::int64_t> round_limit(const scenario::Scenario& scenario,
                                        const std::string& stage) {
  constexpr std::int64_t kLadderRounds = 12;
  return stage == "ladder"
             ? std::min(kLadderRounds, scenario.confirm_rounds.value_or(kLadderRounds))
             : scenario.confirm_rounds;
}

ConfirmStanding confirm_standing(const scenario::Scenario& scenario,
                                 const std::vector<std::size_t>& cells,
                                 const std::vector<CellHistory>& histories,
                                 const std::string& stage) {
  ConfirmStanding standing;
  standing.schedule = confirm_looks(scenario, stage, std::max<std::size_t>(1, cells.size()));
  standing.until = wanted_precision(scenario, stage);
  for (const std::size_t cell : cells) {
    standing.rows.push_back(make_row(cell, histories, stage));
  }
  for (std::size_t look = 0; look < standing.schedule.pairs.size() && !standing.finished();
       ++look) {
    standing.next_pairs = standing.schedule.pairs[look];
    const bool reached =
        std::all_of(standing.rows.begin(), standing.rows.end(), [&](const ConfirmRow& row) {
          return !row.is_open ||
                 static_cast<std::int64_t>(row.differences.size()) >= standing.next_pairs;
        });
    if (!reached) {
      break;
    }
    take_look(standing, look);
  }
  return standing;
}

std::optional<Slot> next_confirming(const scenario::Scenario& scenario,
                                    const std::vector<std::size_t>& cells,
                                    const std::vector<CellHistory>& histories,
                                    const std::string& stage) {
  const ConfirmStanding standing = confirm_standing(scenario, cells, histories, stage);
  if (standing.finished()) {
    return std::nullopt;
  }
  std::vector<std::size_t> members = {0};
  for (const ConfirmRow& row : standing.rows) {
    if (row.is_open) {
      members.push_back(row.cell);
    }
  }
  const std::int64_t last = last_round(histories, stage);
  for (const std::int64_t round : {last, last + 1}) {
    const auto& baseline = histories[0].stage(stage).finished;
    const auto of_baseline = baseline.find(round);
    if (round == 0 || (of_baseline != baseline.end() && !of_baseline->second)) {
      continue;  // without its baseline a round says nothing
    }
    const auto order = order_of_round(scenario, members, round, stage);
    for (std::size_t position = 0; position < order.size(); ++position) {
      const StageHistory& history = histories[order[position]].stage(stage);
      if (!history.finished.contains(round)) {
        Slot slot{stage, round, static_cast<std::int64_t>(position), order[position]};
        slot.slices = scenario.measure.slices;
        slot.attempt = history.next_attempt(round);
        return slot;
      }
    }
  }
  return std::nullopt;
}

}  // namespace tune::campaign
