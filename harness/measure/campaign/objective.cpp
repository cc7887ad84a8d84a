#include "measure/campaign/objective.h"

#include "measure/campaign/epoch_time.h"
#include "measure/campaign/taint.h"
#include "trial/window_sums.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace tune::campaign {

namespace {

// Clean slices; all of them where none is clean.
std::optional<double> rate_of(const trial::TrialReply& reply) {
  const auto clean = clean_rate(reply).rate;
  return clean ? clean : trial::throughput(reply);
}

std::optional<double> positive(double value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::int64_t memory_limit_bytes(const JudgedTrial& trial) {
  const auto& gpu = trial.reply.facts.gpu;
  return gpu ? gpu->memory_bytes : trial.memory_limit_bytes;
}

std::string short_number(double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

}  // namespace

std::optional<double> metric_value(std::string_view metric, const JudgedTrial& trial) {
  const auto memory = static_cast<double>(trial::peak_memory_bytes(trial.reply));
  const trial::WindowSums window = trial::window_sums(trial.reply.slices);
  if (metric == "throughput") {
    return rate_of(trial.reply);
  }
  if (metric == "step_time") {
    return window.per_step_s(window.wall_ns);
  }
  if (metric == "epoch_time") {
    const auto epoch = epoch_time(trial.reply, trial.spec);
    return epoch ? positive(epoch->total_s) : std::nullopt;
  }
  if (metric == "peak_memory_bytes") {
    return positive(memory);
  }
  if (metric == "energy_per_sample") {
    return trial.device_joules && window.samples > 0
               ? positive(*trial.device_joules / window.samples)
               : std::nullopt;
  }
  if (const std::int64_t limit = memory_limit_bytes(trial);
      metric == "peak_memory_ratio" && limit > 0) {
    return positive(memory / static_cast<double>(limit));
  }
  return std::nullopt;
}

std::optional<double> objective_score(const scenario::Scenario& scenario,
                                      const JudgedTrial& trial) {
  const std::string& metric = scenario.objective.metric;
  auto value = metric_value(metric, trial);
  if (!value && metric == "epoch_time") {  // the size of the data is not known: the same order
    const auto rate = rate_of(trial.reply);
    value = rate ? std::optional(1 / *rate) : std::nullopt;
  }
  if (!value || !(*value > 0)) {
    return std::nullopt;
  }
  return scenario.objective.is_minimized ? -std::log(*value) : std::log(*value);
}

std::vector<std::string> broken_constraints(const scenario::Scenario& scenario,
                                            const JudgedTrial& trial) {
  std::vector<std::string> broken;
  for (const scenario::Constraint& constraint : scenario.constraints) {
    const auto value = metric_value(constraint.metric, trial);
    if (value && constraint.max && *value > *constraint.max) {
      broken.push_back(constraint.metric + " " + short_number(*value) + " is above " +
                       constraint.max_text);
    } else if (value && constraint.min && *value < *constraint.min) {
      broken.push_back(constraint.metric + " " + short_number(*value) + " is below " +
                       constraint.min_text);
    }
  }
  return broken;
}

std::string constraint_text(const std::vector<std::string>& broken) {
  std::string text;
  for (const std::string& constraint : broken) {
    text += (text.empty() ? "breaks a constraint: " : "; ") + constraint;
  }
  return text;
}

}  // namespace tune::campaign
