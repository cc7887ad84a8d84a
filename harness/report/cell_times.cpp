#include "report/cell_times.h"

#include "measure/campaign/measured_facts.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace tune::report {

namespace {

// Samples behind cell.phases; from the rate where the replies are gone.
double samples_behind(const campaign::CampaignResult& result, const campaign::CellResult& cell) {
  const double counted = cell_times(campaign::window_trials(result, cell)).samples;
  if (counted > 0) {
    return counted;
  }
  const double seconds = static_cast<double>(cell.phases->total_ns()) * 1e-9;
  return cell.throughput ? *cell.throughput->value * seconds : 0;
}

}  // namespace

const std::vector<CellNumber>& cell_numbers() {
  using Window = trial::WindowSums;
  static const std::vector<CellNumber> kNumbers = {
      {"step_time", "s", "", [](const Window& window) { return window.wall_s() / window.steps; }},
      {"data_wait_ratio",
       "ratio",
       "data wait",
       [](const Window& window) { return window.data_wait_ns() / window.wall_ns; },
       true}};
  return kNumbers;
}

TrialsByCell completed_trials(const campaign::CampaignResult& result) {
  TrialsByCell by_cell;
  for (const campaign::TrialRecord& trial : result.trials) {
    if (trial.outcome.kind == runner::OutcomeKind::completed) {
      by_cell[trial.spec.cell].push_back(&trial);
    }
  }
  return by_cell;
}

std::vector<const campaign::TrialRecord*> trials_of(const TrialsByCell& trials,
                                                    std::string_view cell,
                                                    std::string_view stage) {
  std::vector<const campaign::TrialRecord*> wanted;
  const auto own = trials.find(cell);
  if (own == trials.end()) {
    return wanted;
  }
  std::copy_if(own->second.begin(),
               own->second.end(),
               std::back_inserter(wanted),
               [&](const campaign::TrialRecord* trial) {
                 return trial->stage == stage && trial->outcome.reply;
               });
  return wanted;
}

CellTimes cell_times(const std::vector<const campaign::TrialRecord*>& trials) {
  CellTimes times;
  std::vector<trial::Slice> all;
  for (const campaign::TrialRecord* const trial : trials) {
    const std::vector<trial::Slice>& slices = trial->outcome.reply->slices;
    const trial::WindowSums window = trial::window_sums(slices);
    if (!(window.steps > 0) || !(window.wall_ns > 0)) {
      continue;
    }
    all.insert(all.end(), slices.begin(), slices.end());
    for (const CellNumber& number : cell_numbers()) {
      times.numbers[number.id].push_back(number.value(window));
    }
    if (const auto epoch = campaign::epoch_time(*trial->outcome.reply, trial->spec)) {
      times.epoch_seconds.push_back(epoch->total_s);
      times.epoch_warning = epoch->warning;
    }
  }
  times.window = trial::window_sums(all);
  times.samples = times.window.samples;
  return times;
}

std::optional<stats::Number> estimate_of(const CellTimes& times, const CellNumber& number) {
  const auto values = times.numbers.find(number.id);
  if (values == times.numbers.end()) {
    return std::nullopt;
  }
  stats::Number estimate = stats::number_of_samples(values->second);
  if (!number.is_part) {
    return estimate;
  }
  estimate.value = number.value(times.window);
  if (estimate.lower && (*estimate.value < *estimate.lower || *estimate.value > *estimate.upper)) {
    return stats::Number{
        .value = estimate.value,
        .n = estimate.n,
        .reason = "one round differs so much that their median says something else"};
  }
  return estimate;
}

std::optional<stats::Number> estimate_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(stats::number_of_samples(values));
}

std::optional<PhaseSplit> phase_split(const campaign::CampaignResult& result,
                                      const campaign::CellResult& cell) {
  if (!cell.phases || cell.phases->total_ns() <= 0) {
    return std::nullopt;
  }
  const double samples = samples_behind(result, cell);
  if (!(samples > 0)) {
    return std::nullopt;
  }
  const trial::PhaseSums& sums = *cell.phases;
  const auto total_ns = static_cast<double>(sums.total_ns());
  PhaseSplit split{.ms_per_sample = total_ns * 1e-6 / samples};
  for (std::size_t i = 0; i < split.parts.size(); ++i) {
    const trial::StepPhase& phase = trial::kStepPhases[i];
    const auto value_ns = static_cast<double>(sums.*phase.ns);
    split.parts[i] = {phase.id, phase.label, value_ns * 1e-6 / samples, value_ns / total_ns};
  }
  return split;
}

}  // namespace tune::report
