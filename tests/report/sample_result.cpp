#include "sample_result.h"

#include "hostile_words.h"
#include "sample_profile.h"
#include "sample_trial.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::TrialRecord;

constexpr std::int64_t kRounds = 3, kPairs = 6;

using Rates = std::map<std::string, std::map<std::int64_t, double>>;

Rates rates_of(const CampaignResult& result, const std::string& stage) {
  Rates rates;
  for (const TrialRecord& trial : result.trials) {
    if (trial.stage == stage && trial.outcome.reply) {
      std::int64_t samples = 0, wall_ns = 0;
      for (const trial::Slice& slice : trial.outcome.reply->slices) {
        samples += slice.samples;
        wall_ns += slice.wall_ns;
      }
      rates[trial.spec.cell][trial.round] =
          static_cast<double>(samples) * 1e9 / static_cast<double>(wall_ns);
    }
  }
  return rates;
}

std::vector<double> values(const std::map<std::int64_t, double>& rates) {
  std::vector<double> list;
  list.reserve(rates.size());
  for (const auto& [round, rate] : rates) {
    list.push_back(rate);
  }
  return list;
}

std::vector<double> log_gains(const std::map<std::int64_t, double>& rates,
                              const std::map<std::int64_t, double>& baseline) {
  std::vector<double> gains;
  gains.reserve(rates.size());
  for (const auto& [round, rate] : rates) {
    gains.push_back(std::log(rate / baseline.at(round)));
  }
  return gains;
}

std::optional<trial::PhaseSums> phases_of(const CampaignResult& result,
                                          const std::string& cell,
                                          const std::string& stage) {
  std::optional<trial::PhaseSums> sums;
  for (const TrialRecord& trial : result.trials) {
    if (trial.spec.cell != cell || trial.stage != stage || !trial.outcome.reply) {
      continue;
    }
    sums = sums.value_or(trial::PhaseSums{});
    for (const trial::Slice& slice : trial.outcome.reply->slices) {
      *sums += slice.phases;
    }
  }
  return sums;
}

void add_measurements(const CampaignResult& result, CellResult& cell) {
  for (const TrialRecord& trial : result.trials) {
    if (trial.spec.cell != cell.cell.id || !trial.outcome.reply || trial.stage != "search") {
      continue;
    }
    cell.peak_memory_bytes =
        std::max(cell.peak_memory_bytes.value_or(0), trial.outcome.reply->peak_memory_bytes);
  }
  cell.phases = phases_of(result, cell.cell.id, "search");
}

void summarise_search(CampaignResult& result) {
  const Rates rates = rates_of(result, "search");
  for (const scenario::Cell& planned : result.plan.cells) {
    CellResult cell{.cell = planned, .outcome = "completed"};
    const auto own = rates.find(planned.id);
    if (own == rates.end()) {
      const auto trial =
          std::find_if(result.trials.begin(), result.trials.end(), [&](const TrialRecord& each) {
            return each.spec.cell == planned.id;
          });
      cell.outcome = trial == result.trials.end() ? "not-run" : runner::name(trial->outcome.kind);
      cell.reason = trial == result.trials.end() ? "the run was cut off" : trial->outcome.reason;
    } else {
      cell.rounds = static_cast<std::int64_t>(own->second.size());
      cell.throughput = stats::number_of_samples(values(own->second));
      if (planned.id != "baseline") {
        cell.gain = stats::gain_of_samples(log_gains(own->second, rates.at("baseline")));
      }
      add_measurements(result, cell);
    }
    result.cells.push_back(std::move(cell));
  }
  const auto rank = [](const CellResult& cell) {
    return cell.cell.id == "baseline" ? 1e9 : cell.gain ? *cell.gain->value : -1e9;
  };
  std::stable_sort(result.cells.begin(),
                   result.cells.end(),
                   [&](const CellResult& a, const CellResult& b) { return rank(a) > rank(b); });
  result.trials_failed =
      std::count_if(result.trials.begin(), result.trials.end(), [](const TrialRecord& trial) {
        return trial.outcome.kind != runner::OutcomeKind::completed;
      });
}

void run_search(CampaignResult& result) {
  for (std::int64_t round = 1; round <= kRounds; ++round) {
    for (const scenario::Cell& cell : result.plan.cells) {
      const bool gave_up = round > 1 && (cell.id == "c11" || cell.id == "c21");
      if (!gave_up) {
        result.trials.push_back(sample_trial(result, cell, "search", round));
      }
    }
  }
  summarise_search(result);
}

void confirm(CampaignResult& result) {
  const scenario::Cell best = result.cells.at(1).cell;
  const scenario::Cell baseline = result.cells.at(0).cell;
  for (std::int64_t round = 1; round <= kPairs; ++round) {
    result.trials.push_back(sample_trial(result, baseline, "confirm", round));
    result.trials.push_back(sample_trial(result, best, "confirm", round));
  }
  for (CellResult& cell : result.cells) {  // those of the pairs are the ones that a report shows
    const auto fresh = phases_of(result, cell.cell.id, "confirm");
    cell.phases = fresh ? fresh : cell.phases;
  }
  const Rates rates = rates_of(result, "confirm");
  result.confirmation = campaign::Confirmation{
      .cell = best.id,
      .pairs = kPairs,
      .wanted = kPairs,
      .baseline = stats::number_of_samples(values(rates.at("baseline"))),
      .best = stats::number_of_samples(values(rates.at(best.id))),
      .gain = stats::gain_of_samples(log_gains(rates.at(best.id), rates.at("baseline"))),
      .verdict = "confirmed",
      .search_gain = 1.9,
      .slices = {.clean = 30},
      .baseline_slices = {.clean = 29, .tainted = 1},
      .position_effect = 0.001,
      .loss_parity = "not compared: amp may change the numbers"};
  campaign::Confirmation& row = *result.confirmation;
  row.looks.push_back({.pairs = kPairs,
                       .alpha = 0.025,
                       .alpha_total = 0.025,
                       .lower = *row.gain.lower,
                       .value = *row.gain.value,
                       .upper = *row.gain.upper,
                       .p = 0.015625,
                       .verdict = "confirmed"});
  result.confirmations = {row};
  result.warmup =
      campaign::WarmupFound{.steps = 12,
                            .text = "steady after 12 steps (1.4s) of 64 of the baseline",
                            .time_to_steady_ns = 1'400'000'000};
  result.search_ended = "every cell was measured in 3 rounds";
}

}  // namespace

campaign::CampaignResult unconfirmed_result() {
  CampaignResult result = empty_result();
  run_search(result);
  result.elapsed_ns = 598'000'000'000;
  result.complete = false;
  result.incomplete_reason = "budget of 10m00s used up: 12 of 80 trials missing";
  return result;
}

campaign::CampaignResult sample_result() {
  CampaignResult result = empty_result();
  run_search(result);
  confirm(result);
  result.profiles = sample_profiles(result);
  result.elapsed_ns = 724'000'000'000;
  result.warnings = {"2 of 23 settings failed: c11 out-of-memory, c21 crashed"};
  return result;
}

campaign::CampaignResult all_failed_result() {
  CampaignResult result = empty_result();
  for (const scenario::Cell& cell : result.plan.cells) {
    TrialRecord trial = sample_trial(result, cell, "search", 1);
    trial.outcome =
        sample_failure(runner::OutcomeKind::out_of_memory, "out of memory: std::bad_alloc", "");
    result.trials.push_back(std::move(trial));
  }
  summarise_search(result);
  result.elapsed_ns = 61'000'000'000;
  result.complete = false;
  result.incomplete_reason = "the baseline failed: out of memory: std::bad_alloc";
  return result;
}

campaign::CampaignResult result_with_cells(int count) {
  CampaignResult result = empty_result();
  result.plan.cells.resize(1);
  for (int i = 1; i < count; ++i) {
    scenario::Cell cell = result.plan.cells.front();
    cell.id = "d" + std::to_string(i);
    cell.knobs["prefetch_factor"] = cell.changed["prefetch_factor"] = std::int64_t{2 + i};
    result.plan.cells.push_back(std::move(cell));
  }
  result.plan.grid_cells = count;
  run_search(result);
  return result;
}

campaign::CampaignResult hostile_result() {
  CampaignResult result = sample_result();
  const std::string& hostile = hostile_words();
  result.scenario.name = result.scenario.description = result.scenario.text = hostile;
  result.scenario.file = result.directory = hostile;
  result.command.push_back(hostile);
  result.machine.cpu_model = result.machine.kernel = result.machine.distribution = hostile;
  result.machine.governor = hostile;
  result.machine.cpu_flags.push_back(hostile);
  result.data.path = hostile;
  result.plan.collapsed.push_back({hostile, hostile, 1});
  result.plan.forbidden.push_back({hostile, 1});
  result.warnings.push_back(hostile);
  result.tune_version = result.commit = result.started_utc = hostile;
  for (CellResult& cell : result.cells) {
    cell.cell.changed["cpu_affinity"] = hostile;
    cell.cell.knobs["cpu_affinity"] = hostile;
    cell.reason += hostile;
  }
  for (campaign::ProfiledCell& profile : result.profiles) {
    profile.outcome.refused = {{hostile, hostile}};
    profile.trial = hostile;
    profile.file = hostile;
    for (table::Row& row : profile.trace->tables.front().rows) {
      row.front() = hostile;
    }
  }
  for (TrialRecord& trial : result.trials) {
    trial.outcome.reason += hostile;
    trial.outcome.stderr_tail += hostile;
    if (trial.outcome.reply) {
      trial.outcome.reply->facts.torch_version = hostile;
      trial.outcome.reply->loader.errors = 1;
      trial.outcome.reply->loader.broken = {{hostile, hostile, hostile, 1}};
      trial.outcome.reply->ignored_knobs = {{hostile, hostile}};
    }
  }
  return result;
}

}  // namespace tune::report
