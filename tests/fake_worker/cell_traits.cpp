#include "cell_traits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tune::fake {

namespace {

using nlohmann::json;

constexpr std::int64_t kSentinelNs = 100'000'000;

CellTraits read_traits(const json& object) {
  CellTraits traits;
  for (const auto& field : object.items()) {
    const std::string& name = field.key();
    const json& value = field.value();
    if (name == "slowdown") {
      traits.slowdown_ratio = value;
    } else if (name == "drift") {
      traits.drift_ratio = value;
    } else if (name == "tail") {
      traits.tail_ratio = value;
    } else if (name == "memory") {
      traits.memory_factor = value;
    } else if (name == "other_cpus") {
      traits.other_cpus = value;
    } else if (name == "disturbed_slices") {
      traits.disturbed_slices = value;
    } else if (name == "disturbed_attempts") {
      traits.disturbed_attempts = value;
    } else if (name == "sentinel") {
      traits.sentinel_factor = value;
    } else if (name == "has_sentinel") {
      traits.has_sentinel = value;
    } else if (name == "has_structure") {
      traits.has_structure = value;
    } else if (name == "steady") {
      traits.is_steady = value;
    } else if (name == "operators") {
      traits.operators = value;
    } else if (name == "loses_numbers") {
      traits.loses_numbers = value;
    } else if (name == "loss") {
      traits.loss_factor = value;
    } else {
      throw std::runtime_error("fake script: unknown key '" + name + "' of a cell");
    }
  }
  return traits;
}

// "p03-candidate-2" is the second attempt.
std::int64_t attempt_of(const std::string& id) {
  const auto dash = id.rfind('-');
  const std::string last = dash == std::string::npos ? "" : id.substr(dash + 1);
  return last.size() == 1 && last[0] >= '1' && last[0] <= '9' ? last[0] - '0' : 1;
}

// Makes one measured step longer; the added time is the model's.
void stretch(trial::PhaseSums& step, std::int64_t& step_ns, double factor) {
  const auto longer = std::llround(static_cast<double>(step_ns) * factor);
  step.forward_ns += longer - step_ns;
  step_ns = longer;
}

// The same for all steps; slices begin later accordingly.
void slow_down(const CellTraits& traits, double delay_ratio, trial::TrialReply& reply) {
  auto step = static_cast<std::size_t>(reply.warmup_steps);
  std::size_t measured = 0;
  std::int64_t shift_ns = 0;
  const auto steps = static_cast<double>(std::max<std::size_t>(reply.step_phases.size(), 1));
  for (std::size_t i = 0; i < reply.slices.size(); ++i) {
    trial::Slice& slice = reply.slices[i];
    trial::PhaseSums sums;
    for (std::int64_t j = 0; j < slice.steps; ++j, ++step, ++measured) {
      const double factor = (1 + traits.slowdown_ratio) *
                            (1 + traits.drift_ratio * static_cast<double>(measured) / steps) *
                            (i % 3 == 2 ? 1 + traits.tail_ratio : 1);
      trial::PhaseSums& parts = reply.step_phases[measured];
      stretch(parts, reply.step_ns[step], factor);
      const auto delay_ns = std::llround(static_cast<double>(reply.step_ns[step]) * delay_ratio);
      parts.other_ns += delay_ns;
      reply.step_ns[step] += delay_ns;
      reply.delay_ns += delay_ns;
      sums += parts;
    }
    slice.start_ns += shift_ns;
    shift_ns += sums.total_ns() - slice.wall_ns;
    slice.disturbance.own_cpu_ns += 2 * (sums.total_ns() - slice.wall_ns);  // as it was invented
    if (slice.disturbance.instructions) {
      slice.disturbance.instructions = slice.disturbance.own_cpu_ns;
    }
    slice.phases = sums;
    slice.wall_ns = sums.total_ns();
  }
  for (trial::PhaseSpan& span : reply.phases) {
    span.start_ns += span.name == "write" ? shift_ns : 0;
    span.end_ns += span.name == "write" || span.name == "measure" ? shift_ns : 0;
  }
}

void disturb(const CellTraits& traits, const std::string& id, trial::TrialReply& reply) {
  if (traits.disturbed_attempts > 0 && attempt_of(id) > traits.disturbed_attempts) {
    return;
  }
  for (std::size_t i = 0; i < reply.slices.size(); ++i) {
    if (static_cast<std::int64_t>(i) < traits.disturbed_slices) {
      reply.slices[i].disturbance.other_cpu_ns =
          std::llround(static_cast<double>(reply.slices[i].wall_ns) * traits.other_cpus);
    }
  }
}

}  // namespace

std::map<std::string, CellTraits> read_cell_traits(const json& object) {
  std::map<std::string, CellTraits> cells;
  for (const auto& cell : object.items()) {
    cells[cell.key()] = read_traits(cell.value());
  }
  return cells;
}

void apply_traits(const CellTraits& traits,
                  const trial::TrialSpec& spec,
                  trial::TrialReply& reply) {
  slow_down(traits, spec.measure.delay_ratio, reply);
  disturb(traits, spec.id, reply);
  reply.peak_memory_bytes =
      std::llround(static_cast<double>(reply.peak_memory_bytes) * traits.memory_factor);
  for (trial::Loss& loss : reply.losses) {
    loss.value = traits.loses_numbers ? std::numeric_limits<double>::quiet_NaN()
                                      : loss.value * traits.loss_factor;
  }
  const trial::Measure& measure = spec.measure;
  if (reply.warmup_search && !traits.is_steady) {
    reply.warmup_search->steady = false;
    reply.warmup_search->guard = 0.2;
    reply.warmup_search->reason = "guard";
  }
  if (measure.sentinel && traits.has_sentinel) {
    const auto ns = std::llround(static_cast<double>(kSentinelNs) * traits.sentinel_factor);
    reply.sentinel = trial::Sentinel{ns, ns};
  }
  if (measure.structure && traits.has_structure) {
    reply.structure = trial::Structure{.operators = traits.operators,
                                       .backward_operators = 80,
                                       .allocations = 122,
                                       .allocated_bytes = 1 << 24,
                                       .peak_bytes = 1 << 23,
                                       .batch_bytes = 1 << 20,
                                       .threads = 4};
  }
}

}  // namespace tune::fake
