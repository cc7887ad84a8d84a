#include "measure/campaign/objective.h"

#include "machine/device_peaks.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/epoch_time.h"
#include "measure/campaign/taint.h"
#include "trial/window_sums.h"
#include "trial/workload_catalog.h"

#include <algorithm>
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

bool is_set(const trial::TrialSpec& spec, const char* knob, const char* word) {
  const auto found = spec.knobs.find(knob);
  return found != spec.knobs.end() && found->second == trial::KnobValue(std::string(word));
}

double device_count(const trial::TrialSpec& spec) {
  const auto found = spec.knobs.find("devices");
  const auto* const count =
      found == spec.knobs.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return count == nullptr ? 1 : static_cast<double>(*count);
}

// Throughput of one device ÷ peak: times the operations of a sample it is the utilisation.
std::optional<double> rate_over_peak(const JudgedTrial& trial) {
  const auto& gpu = trial.reply.facts.gpu;
  const auto peak = gpu ? product_peak(trial.spec, gpu->name) : std::nullopt;
  const auto rate = peak ? rate_of(trial.reply) : std::nullopt;
  return rate ? std::optional(*rate / device_count(trial.spec) / *peak) : std::nullopt;
}

std::string short_number(double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

}  // namespace

std::optional<double> product_peak(const trial::TrialSpec& spec, std::string_view gpu) {
  const auto peaks = machine::device_peaks(gpu);
  const trial::WorkloadEntry* const model = trial::find_workload(spec.workload.model);
  if (!peaks || model == nullptr) {
    return std::nullopt;
  }
  if (is_set(spec, "amp", "bf16") || is_set(spec, "amp", "fp16")) {
    return peaks->half_flop_rate;
  }
  // PyTorch's default lets convolutions alone use it.
  const bool has_tf32 = is_set(spec, "tf32", "all") ||
                        (!is_set(spec, "tf32", "none") &&
                         (model->has_convolutions || is_set(spec, "matmul_precision", "high") ||
                          is_set(spec, "matmul_precision", "medium")));
  return has_tf32 && peaks->tf32_flop_rate > 0 ? peaks->tf32_flop_rate : peaks->float_flop_rate;
}

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
  if (metric == "mfu") {
    const auto rate = rate_over_peak(trial);
    return rate && trial.sample_flops ? positive(*rate * *trial.sample_flops) : std::nullopt;
  }
  if (const std::int64_t limit = memory_limit_bytes(trial);
      metric == "peak_memory_ratio" && limit > 0) {
    return positive(memory / static_cast<double>(limit));
  }
  return std::nullopt;
}

namespace {

bool recomputes(const trial::TrialSpec& spec) {
  const auto found = spec.knobs.find("activation_checkpointing");
  return found != spec.knobs.end() && found->second == trial::KnobValue(true);
}

// Samples that one device takes in a step of this trial.
std::optional<double> samples_per_step(const TrialRecord& trial) {
  if (!trial.outcome.reply || recomputes(trial.spec)) {
    return std::nullopt;
  }
  const trial::WindowSums window = trial::window_sums(trial.outcome.reply->slices);
  return window.steps > 0 ? positive(window.samples / window.steps / device_count(trial.spec))
                          : std::nullopt;
}

std::optional<double> step_flops(const TraceNumbers& trace) {
  for (const metric::Metric& metric : trace.metrics) {
    if (metric.id == "step_flops" && metric.value) {
      return positive(*metric.value);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> sample_flops(const CampaignResult& run) {
  for (const ProfiledCell& profile : run.profiles) {
    const auto flops = profile.trace ? step_flops(*profile.trace) : std::nullopt;
    const auto trial = std::find_if(run.trials.begin(), run.trials.end(), [&](const auto& each) {
      return each.spec.id == profile.trial;
    });
    const auto samples =
        flops && trial != run.trials.end() ? samples_per_step(*trial) : std::nullopt;
    if (samples) {
      return *flops / *samples;
    }
  }
  return std::nullopt;
}

std::optional<double> objective_score(const scenario::Scenario& scenario,
                                      const JudgedTrial& trial) {
  const std::string& metric = scenario.objective.metric;
  auto value = metric == "mfu" ? rate_over_peak(trial) : metric_value(metric, trial);
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
