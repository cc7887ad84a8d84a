#include "report/trial_steps.h"

#include "base/stats/quantile.h"
#include "measure/campaign/measured_facts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::TrialRecord;

constexpr double kNano = 1e-9;
constexpr double kFarDeviations = 5, kFarRatio = 0.05;
constexpr std::size_t kMostLongest = 20;

void find_outliers(const std::vector<double>& steps_s, StepSpread& spread) {
  const double far =
      spread.median_s + std::max(kFarDeviations * spread.deviation_ratio * spread.median_s,
                                 kFarRatio * spread.median_s);
  for (const double step_s : steps_s) {
    if (step_s > far) {
      ++spread.outliers;
      spread.longest_s.push_back(step_s);
    }
  }
  std::sort(spread.longest_s.rbegin(), spread.longest_s.rend());
  spread.longest_s.resize(std::min(spread.longest_s.size(), kMostLongest));
}

}  // namespace

std::vector<double> measured_steps_ns(const trial::TrialReply& reply) {
  const auto all = static_cast<std::int64_t>(reply.step_ns.size());
  std::int64_t steps = 0;
  for (const trial::Slice& slice : reply.slices) {
    steps = std::min(all, steps + std::clamp<std::int64_t>(slice.steps, 0, all));
  }
  const std::int64_t first = std::clamp<std::int64_t>(reply.warmup_steps, 0, all);
  const std::int64_t end = std::min(all, first + steps);
  std::vector<double> found;
  found.reserve(static_cast<std::size_t>(end - first));
  for (std::int64_t i = first; i < end; ++i) {
    const std::int64_t ns = reply.step_ns[static_cast<std::size_t>(i)];
    if (ns > 0) {
      found.push_back(static_cast<double>(ns));
    }
  }
  return found;
}

std::optional<double> samples_per_step(const trial::TrialReply& reply) {
  double samples = 0, steps = 0;
  for (const trial::Slice& slice : reply.slices) {
    samples += static_cast<double>(slice.samples);
    steps += static_cast<double>(slice.steps);
  }
  return samples > 0 && steps > 0 ? std::optional(samples / steps) : std::nullopt;
}

std::optional<StepSpread> step_spread(const CampaignResult& result, const CellResult& cell) {
  StepSpread spread;
  std::vector<double> steps_s;
  for (const TrialRecord* const trial : campaign::window_trials(result, cell)) {
    const trial::TrialReply& reply = *trial->outcome.reply;
    const auto samples = samples_per_step(reply);
    const std::vector<double> steps_ns = measured_steps_ns(reply);
    if (!samples || steps_ns.empty()) {
      continue;
    }
    ++spread.trials;
    spread.samples_per_step = *samples;  // the same in all trials of a setting
    for (const double ns : steps_ns) {
      steps_s.push_back(ns * kNano);
    }
  }
  if (steps_s.empty()) {
    return std::nullopt;
  }
  std::sort(steps_s.begin(), steps_s.end());
  spread.steps = steps_s.size();
  spread.median_s = stats::median(steps_s);
  spread.p1_s = stats::quantile(steps_s, 0.01);
  spread.lower_quartile_s = stats::quantile(steps_s, 0.25);
  spread.upper_quartile_s = stats::quantile(steps_s, 0.75);
  spread.p90_s = stats::quantile(steps_s, 0.9);
  spread.p99_s = stats::quantile(steps_s, 0.99);
  spread.max_s = steps_s.back();
  spread.deviation_ratio = stats::robust_deviation(steps_s) / spread.median_s;
  find_outliers(steps_s, spread);
  return spread;
}

std::optional<double> time_to_first_step_s(const CampaignResult& result, const CellResult& cell) {
  std::vector<double> times_s;
  for (const TrialRecord* const trial : campaign::window_trials(result, cell)) {
    for (const trial::PhaseSpan& phase : trial->outcome.reply->phases) {
      const std::int64_t begin_ns = trial->outcome.start_ns;
      if (phase.name == "first-batch" && begin_ns > 0 && phase.end_ns > begin_ns) {
        times_s.push_back(static_cast<double>(phase.end_ns - begin_ns) * kNano);
      }
    }
  }
  return times_s.empty() ? std::nullopt : std::optional(stats::median(std::move(times_s)));
}

}  // namespace tune::report
