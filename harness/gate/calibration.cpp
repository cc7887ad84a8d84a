#include "gate/calibration.h"

#include "base/assert.h"
#include "base/seeded_order.h"
#include "stats/counts.h"
#include "stats/detectable_effect.h"
#include "stats/quantile.h"
#include "stats/signed_rank.h"
#include "stats/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tune::gate {

namespace {

constexpr double kLeastBudget = 0.02;
constexpr double kBudgetStep = 0.005;
constexpr std::int64_t kPairings = 200;
constexpr std::size_t kMostDifferences = 2'000;
constexpr std::int64_t kLaunchesPerVerdict = 20;

// Neighbours in time, as the two processes of a gate's pair are, each launch in at most two pairs.
std::vector<double> neighbour_differences(const std::vector<Launch>& launches) {
  std::vector<double> differences;
  for (std::size_t i = 0; i + 1 < launches.size(); ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;  // which of them is called the candidate
    differences.push_back(sign * (launches[i].log_rate - launches[i + 1].log_rate));
  }
  return differences;
}

// How many gates of randomly re-paired launches cry wolf.
std::int64_t count_alarms(const std::vector<Launch>& launches,
                          const stats::EffectLimits& limits,
                          std::uint64_t seed) {
  const stats::LookSchedule looks = stats::make_looks(stats::kGateAlpha, 1);
  std::int64_t alarms = 0;
  for (std::int64_t pairing = 0; pairing < kPairings; ++pairing) {
    const auto order = seeded_order(launches.size(), seed, "calibrate", pairing);
    std::vector<double> differences;
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
      differences.push_back(launches[order[i]].log_rate - launches[order[i + 1]].log_rate);
    }
    for (std::size_t look = 0; look < looks.pairs.size(); ++look) {
      const auto pairs = static_cast<std::size_t>(looks.pairs[look]);
      if (differences.size() < pairs) {
        break;
      }
      const std::vector<double> seen(differences.begin(),
                                     differences.begin() + static_cast<std::ptrdiff_t>(pairs));
      const auto answer = stats::gate_verdicts({{.differences = seen, .limits = limits}},
                                               {.schedule = looks, .index = look});
      if (answer.front().verdict == stats::GateVerdict::regressed) {
        ++alarms;
      }
      if (answer.front().verdict != stats::GateVerdict::inconclusive) {
        break;
      }
    }
  }
  return alarms;
}

double mean(const std::vector<Launch>& launches, double Launch::*part) {
  double sum = 0;
  for (const Launch& launch : launches) {
    sum += launch.*part;
  }
  return sum / static_cast<double>(launches.size());
}

}  // namespace

Calibration calibrate(const std::vector<Launch>& launches,
                      double min_effect_ratio,
                      std::uint64_t seed) {
  TUNE_ASSERT(launches.size() >= 4);
  Calibration result;
  result.launches = static_cast<std::int64_t>(launches.size());
  result.differences = neighbour_differences(launches);
  std::vector<std::vector<double>> slices;
  std::size_t slice_count = 0;
  for (const Launch& launch : launches) {
    slices.push_back(launch.slice_log_rates);
    slice_count += launch.slice_log_rates.size();
  }
  if (slice_count > launches.size()) {
    result.noise = stats::variance_components(slices);
  }
  result.pair_sd = stats::robust_deviation(result.differences);
  result.process_s = mean(launches, &Launch::process_s);
  result.slice_s = mean(launches, &Launch::slices_s) * static_cast<double>(launches.size()) /
                   static_cast<double>(std::max<std::size_t>(slice_count, 1));
  if (result.process_s > 0 && result.slice_s > 0) {
    if (const auto best = stats::best_slices(result.noise, {result.process_s, result.slice_s})) {
      result.best_slices = static_cast<std::int64_t>(*best);
    }
  }
  const auto looks = stats::make_looks(stats::kGateAlpha, 1);
  result.mde =
      stats::minimum_detectable_effect(result.differences, looks, min_effect_ratio).effect_ratio;
  result.budget = std::max(kLeastBudget, std::ceil(result.mde / kBudgetStep - 1e-9) * kBudgetStep);
  const stats::EffectLimits limits{.min_effect_ratio = min_effect_ratio,
                                   .budget_ratio = result.budget};
  const auto chance = [&](double effect) {
    return stats::detection_chance(result.differences, limits, effect).regressed;
  };
  result.chance_at_budget = chance(result.budget);
  result.chance_above = chance(result.budget + 0.02);
  result.verdicts = result.launches / kLaunchesPerVerdict;
  // Re-paired verdicts are dependent: as many count as are independent, and of the alarms their
  // share. One among two hundred is within what the test promises, and no reason to say one of two.
  const std::int64_t alarms = count_alarms(launches, limits, seed);
  result.alarms = (alarms * result.verdicts + kPairings / 2) / kPairings;
  result.false_alarm_bound = stats::false_alarm_bound(result.alarms, result.verdicts);
  return result;
}

Detection detect(const std::vector<double>& differences,
                 double injected_ratio,
                 double arrived_ratio,
                 double budget_ratio,
                 double min_effect_ratio) {
  Detection detection{.injected_ratio = injected_ratio, .arrived_ratio = arrived_ratio};
  detection.pairs = static_cast<std::int64_t>(differences.size());
  if (differences.empty()) {
    detection.verdict = "INCONCLUSIVE";
    return detection;
  }
  detection.found_ratio = std::expm1(stats::hodges_lehmann(differences));
  stats::LookSchedule looks{.pairs = {detection.pairs}, .alpha = stats::kGateAlpha / 3, .rows = 1};
  const auto answer = stats::gate_verdicts(
      {{.differences = differences,
        .limits = {.min_effect_ratio = min_effect_ratio, .budget_ratio = budget_ratio}}},
      {.schedule = looks});
  switch (answer.front().verdict) {
    case stats::GateVerdict::regressed:
      detection.verdict = "REGRESSED";
      break;
    case stats::GateVerdict::pass:
      detection.verdict = "PASS";
      break;
    case stats::GateVerdict::improved:
      detection.verdict = "IMPROVED";
      break;
    case stats::GateVerdict::inconclusive:
      detection.verdict = "INCONCLUSIVE";
      break;
  }
  return detection;
}

void add_equal_pairs(Calibration& calibration,
                     const std::vector<double>& differences,
                     double min_effect_ratio) {
  auto& known = calibration.differences;
  known.insert(known.end(), differences.begin(), differences.end());
  if (known.size() > kMostDifferences) {  // the oldest say least about the machine of today
    known.erase(known.begin(), known.end() - static_cast<std::ptrdiff_t>(kMostDifferences));
  }
  calibration.pair_sd = stats::robust_deviation(known);
  calibration.mde = stats::minimum_detectable_effect(
                        known, stats::make_looks(stats::kGateAlpha, 1), min_effect_ratio)
                        .effect_ratio;
}

void add_equal_gate(Calibration& calibration,
                    const std::vector<double>& differences,
                    bool was_alarm,
                    double min_effect_ratio) {
  add_equal_pairs(calibration, differences, min_effect_ratio);
  calibration.verdicts += 1;
  calibration.alarms += was_alarm ? 1 : 0;
  calibration.false_alarm_bound = stats::false_alarm_bound(
      std::min(calibration.alarms, calibration.verdicts), calibration.verdicts);
}

double detectable(const Calibration& calibration, const Policy& policy) {
  return stats::minimum_detectable_effect(
             calibration.differences, look_schedule(policy), policy.min_effect_ratio)
      .effect_ratio;
}

std::string false_alarm_text(const Calibration& calibration) {
  std::array<char, 64> text{};
  std::snprintf(text.data(),
                text.size(),
                "%lld of %lld, <= %.1f %%",
                static_cast<long long>(calibration.alarms),
                static_cast<long long>(calibration.verdicts),
                100 * calibration.false_alarm_bound);
  return text.data();
}

}  // namespace tune::gate
