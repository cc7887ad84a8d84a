#include "measure/campaign/cell_history.h"

#include "base/assert.h"
#include "base/stats/log_ratio.h"
#include "base/stats/quantile.h"
#include "measure/campaign/objective.h"
#include "measure/campaign/taint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

namespace tune::campaign {

std::int64_t profile_ns(const TrialRecord& record) {
  if (record.outcome.reply) {
    for (const trial::PhaseSpan& phase : record.outcome.reply->phases) {
      if (phase.name == "profiled") {  // until the end of the process: the trace is written
        return std::max<std::int64_t>(0, record.outcome.end_ns - phase.start_ns);
      }
    }
  }
  return 0;
}

TrialCost::TrialCost(const scenario::Scenario& scenario, std::size_t cells) : cells_(cells) {
  constexpr std::int64_t kStartNs = 1'000'000'000;
  expected_ = {.trials = 1,
               .around_ns = kStartNs + scenario.measure.warmup_ns,
               .slices = 1,
               .slice_ns = scenario.measure.slice_ns};
}

void TrialCost::add(std::size_t cell, const TrialRecord& record) {
  if (record.stage != "search" && record.stage != "audit" && record.stage != "confirm") {
    return;  // they measure something else, or come when nothing is planned any more
  }
  const runner::TrialOutcome& outcome = record.outcome;
  Sums sums{.trials = 1};
  if (outcome.reply) {
    for (const trial::Slice& slice : outcome.reply->slices) {
      sums.slices += 1;
      sums.slice_ns += slice.wall_ns;
    }
  }
  const std::int64_t whole_ns =
      std::max<std::int64_t>(0, outcome.end_ns - outcome.start_ns - profile_ns(record));
  sums.slice_ns = std::min(sums.slice_ns, whole_ns);  // the worker's word against our clock
  sums.around_ns = whole_ns - sums.slice_ns;
  if (cell == 0 && sums.slices > 0) {
    baseline_slices_ns_.push_back(static_cast<double>(sums.slice_ns) /
                                  static_cast<double>(sums.slices));
  }
  for (Sums* const total : {&all_, &cells_[cell]}) {
    total->trials += sums.trials;
    total->around_ns += sums.around_ns;
    total->slices += sums.slices;
    total->slice_ns += sums.slice_ns;
  }
}

std::int64_t TrialCost::of(std::size_t cell, std::int64_t slices) const {
  const auto first = [&](auto has) {
    return has(cells_[cell]) ? cells_[cell] : has(all_) ? all_ : expected_;
  };
  const Sums around = first([](const Sums& sums) { return sums.trials > 0; });
  const Sums slice = first([](const Sums& sums) { return sums.slices > 0; });
  return around.around_ns / around.trials + slices * (slice.slice_ns / slice.slices);
}

std::int64_t TrialCost::of_rounds(std::int64_t rounds,
                                  const std::vector<std::size_t>& cells,
                                  std::int64_t slices) const {
  constexpr double kNineOfTen = 1.2816;  // quantile of the normal distribution, in deviations
  constexpr std::size_t kFewest = 3;
  std::int64_t round_ns = of(0, slices);
  double squares = std::pow(static_cast<double>(round_ns), 2);
  for (const std::size_t cell : cells) {
    const std::int64_t ns = of(cell, slices);
    round_ns += ns;
    squares += std::pow(static_cast<double>(ns), 2);
  }
  double spread_ns = 0;
  if (baseline_slices_ns_.size() >= kFewest) {
    // The sum of so many, and the mean of those before is not known better than their number says.
    const auto n = static_cast<double>(rounds);
    const auto before = static_cast<double>(baseline_slices_ns_.size());
    const double middle_ns = stats::quantile(baseline_slices_ns_, 0.9) -
                             stats::quantile(baseline_slices_ns_, 0.1);  // without the rare stall
    const double deviation_ratio =
        middle_ns / (2 * kNineOfTen) / stats::median(baseline_slices_ns_);
    spread_ns = kNineOfTen * deviation_ratio * std::sqrt(squares * (n + n * n / before));
  }
  return rounds * round_ns + std::llround(spread_ns);
}

namespace {

// Cells this near to the best cannot be told from it by a few rounds: then less change is better.
constexpr double kTieRatio = 1.01;

bool lasts(runner::OutcomeKind kind) {
  return kind == runner::OutcomeKind::refused || kind == runner::OutcomeKind::out_of_memory;
}

struct NamedStage {
  std::string_view name;
  StageHistory CellHistory::*history;
};

constexpr std::array<NamedStage, 8> kStages = {{{"warmup", &CellHistory::warmup},
                                                {"diagnose", &CellHistory::diagnose},
                                                {"ceiling", &CellHistory::ceiling},
                                                {"search", &CellHistory::search},
                                                {"audit", &CellHistory::audit},
                                                {"confirm", &CellHistory::confirm},
                                                {"ladder", &CellHistory::ladder},
                                                {"epoch", &CellHistory::epoch}}};

StageHistory CellHistory::*member_of(std::string_view name) {
  const auto found = std::find_if(
      kStages.begin(), kStages.end(), [&](const NamedStage& stage) { return stage.name == name; });
  TUNE_ASSERT(found != kStages.end());
  return found->history;
}

}  // namespace

bool is_paired(std::string_view stage) {
  return stage == "confirm" || stage == "ladder";
}

std::int64_t StageHistory::tries() const {
  std::int64_t tries = 0;
  for (const auto& [round, count] : attempts) {
    tries += count;
  }
  return tries;
}

std::int64_t StageHistory::next_attempt(std::int64_t round) const {
  const auto tried = attempts.find(round);
  return tried == attempts.end() ? 1 : tried->second + 1;
}

bool CellHistory::has_completed() const {
  return std::any_of(kStages.begin(), kStages.end(), [&](const NamedStage& stage) {
    return stage.name != "ceiling" && !(this->*stage.history).rates.empty();
  });
}

const StageHistory& CellHistory::stage(const std::string& name) const {
  return this->*member_of(name);
}

StageHistory& CellHistory::stage(const std::string& name) {
  return this->*member_of(name);
}

// The campaign can do without the other stages.
bool was_killed_from_outside(const CellHistory& history, const TrialRecord& record) {
  const bool is_needed =
      record.stage == "search" || record.stage == "audit" || record.stage == "confirm";
  return record.outcome.was_killed && history.is_baseline && is_needed && history.has_completed();
}

namespace {

// Whether the trial says that the setting was not in effect. The name of an option proves nothing:
// what was in effect does.
bool was_idle(const TrialRecord& record, const std::string& knob, const trial::KnobValue& asked) {
  const trial::TrialReply& reply = *record.outcome.reply;
  const auto is_it = [&](const auto& each) { return each.name == knob; };
  if (std::any_of(reply.ignored_knobs.begin(), reply.ignored_knobs.end(), is_it)) {
    return true;
  }
  if (!reply.script) {
    return false;
  }
  const auto& resisted = reply.script->resisted;
  if (std::any_of(resisted.begin(), resisted.end(), [&](const auto& each) {
        return is_it(each) && each.where == trial::kReadBack;
      })) {
    return true;
  }
  const auto seen = reply.script->observed.find(knob);
  return record.spec.workload.script.flags.contains(knob) && seen != reply.script->observed.end() &&
         seen->second != asked;
}

void note_idle_knobs(CellHistory& history, const TrialRecord& record) {
  if (record.stage != "search" && record.stage != "audit") {
    return;
  }
  std::set<std::string> idle;
  for (const auto& [knob, value] : record.spec.knobs) {
    const bool may_be = !history.idle_knobs || history.idle_knobs->contains(knob);
    if (may_be && was_idle(record, knob, value)) {
      idle.insert(knob);
    }
  }
  history.idle_knobs = std::move(idle);
}

}  // namespace

void add(CellHistory& history, const TrialRecord& record, const Yardstick& yardstick) {
  const runner::TrialOutcome& outcome = record.outcome;
  StageHistory& stage = history.stage(record.stage);
  std::int64_t& attempts = stage.attempts[record.round];
  ++attempts;
  stage.positions[record.round] = record.position;
  const auto rate =
      outcome.reply ? metric_value("throughput", {record.spec, *outcome.reply}) : std::nullopt;
  if (outcome.kind == runner::OutcomeKind::completed && rate && *rate > 0) {
    const JudgedTrial trial{
        record.spec, *outcome.reply, yardstick.memory_limit_bytes, outcome.device_joules};
    const CleanRate clean = clean_rate(*outcome.reply);
    if (is_paired(record.stage) && clean.lost_too_many() && attempts < kMostAttempts) {
      return;  // the same slot runs again
    }
    stage.finished[record.round] = true;
    stage.rates[record.round] = *rate;
    stage.scores[record.round] =
        objective_score(yardstick.scenario, trial).value_or(std::log(*rate));
    if (record.stage == "ceiling") {
      return;  // other work than that of the cell
    }
    if (record.stage == "epoch") {
      history.epoch_check = epoch_check(*outcome.reply, record.spec);
      return;  // another window than those that are compared
    }
    if (const auto epoch = epoch_time(*outcome.reply, record.spec)) {
      stage.epochs[record.round] = *epoch;
    }
    stage.steadiness.add(record.spec.id, steadiness(*outcome.reply));
    stage.slices += clean.slices;
    note_idle_knobs(history, record);
    if (record.stage == "diagnose") {
      return;  // decides nothing about the search, which has not begun
    }
    const bool is_ladder = record.stage == "ladder";  // nor this: the search is over
    if (!is_ladder) {
      history.peak_memory_bytes =
          std::max(history.peak_memory_bytes.value_or(0), trial::peak_memory_bytes(*outcome.reply));
    }
    if (auto broken = broken_constraints(yardstick.scenario, trial); !broken.empty()) {
      (is_ladder ? history.broken_on_ladder : history.broken_constraints) = std::move(broken);
    }
    return;
  }
  if (outcome.was_killed &&
      (stage.kills[record.round]++ == 0 || was_killed_from_outside(history, record))) {
    return;  // perhaps because of a neighbour: the same slot runs again
  }
  if (lasts(outcome.kind)) {
    ++stage.lasting_failures;
  } else {
    ++stage.other_failures;
  }
  const bool is_last_chance =
      history.is_baseline && record.stage == "search" && record.round >= yardstick.scenario.rounds;
  if (!is_last_chance || stage.given_up()) {
    stage.finished[record.round] = false;
  }
}

std::vector<double> values(const std::map<std::int64_t, double>& by_round) {
  std::vector<double> list;
  list.reserve(by_round.size());
  for (const auto& [round, value] : by_round) {
    list.push_back(value);
  }
  return list;
}

namespace {

// What a score must exceed not to be a stall.
double least_usual_score(const std::vector<double>& scores) {
  constexpr std::size_t kLeastRounds = 3;
  return scores.size() < kLeastRounds ? -std::numeric_limits<double>::infinity()
                                      : stats::median(scores) - std::log(2);
}

std::vector<double> log_gains(const StageHistory& candidate,
                              const StageHistory& baseline,
                              double least) {
  std::vector<double> gains;
  for (const auto& [round, score] : candidate.scores) {
    const auto same = baseline.scores.find(round);
    if (same != baseline.scores.end() && same->second > least) {
      gains.push_back(score - same->second);
    }
  }
  return gains;
}

}  // namespace

std::vector<double> log_gains(const StageHistory& candidate, const StageHistory& baseline) {
  return log_gains(candidate, baseline, least_usual_score(values(baseline.scores)));
}

std::string CellHistory::ranked_stage(bool audit_is_whole) const {
  if (search.finished.empty() && audit.finished.empty()) {
    return !diagnose.rates.empty() ? "diagnose" : !warmup.rates.empty() ? "warmup" : "search";
  }
  const bool audited = !audit.rates.empty() && (audit_is_whole || search.rates.empty());
  return audited ? "audit" : "search";
}

std::vector<double> ranked_gains(const std::vector<CellHistory>& histories,
                                 std::size_t cell,
                                 bool audit_is_whole) {
  const std::string stage = histories[cell].ranked_stage(audit_is_whole);
  return log_gains(histories[cell].stage(stage), histories[0].stage(stage));
}

std::vector<double> reported_gains(const std::vector<CellHistory>& histories,
                                   std::size_t cell,
                                   bool audit_is_whole) {
  const std::string stage = histories[cell].ranked_stage(audit_is_whole);
  const CellHistory& baseline = histories[0];
  std::vector<double> all = values(baseline.stage(stage).scores);
  const std::vector<double> later = values(baseline.confirm.scores);
  all.insert(all.end(), later.begin(), later.end());
  return log_gains(histories[cell].stage(stage), baseline.stage(stage), least_usual_score(all));
}

std::vector<std::size_t> ranking(
    const scenario::Plan& plan,
    const std::vector<CellHistory>& histories,
    const std::function<std::optional<double>(std::size_t)>& median_gain) {
  struct Entry {
    std::size_t cell;
    double gain;
  };
  std::vector<Entry> entries;
  for (std::size_t i = 1; i < histories.size(); ++i) {
    const auto gain = median_gain(i);
    if (gain && !histories[i].search.given_up() && !histories[i].audit.given_up() &&
        histories[i].broken_constraints.empty()) {
      entries.push_back({i, *gain});
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.gain > b.gain;
  });
  if (!entries.empty()) {
    const double tie = entries.front().gain - stats::log_ratio(kTieRatio, 1);
    const auto tied = std::find_if(
        entries.begin(), entries.end(), [&](const Entry& entry) { return entry.gain < tie; });
    const auto simplicity = [&](const Entry& entry) {
      return std::tuple(plan.cells[entry.cell].changed.size(),
                        histories[entry.cell].peak_memory_bytes.value_or(
                            std::numeric_limits<std::int64_t>::max()),
                        -entry.gain);
    };
    const auto leader =
        std::min_element(entries.begin(), tied, [&](const Entry& a, const Entry& b) {
          return simplicity(a) < simplicity(b);
        });
    std::rotate(entries.begin(), leader, leader + 1);
  }
  std::vector<std::size_t> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries) {
    order.push_back(entry.cell);
  }
  return order;
}

}  // namespace tune::campaign
