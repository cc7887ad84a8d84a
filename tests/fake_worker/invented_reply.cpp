#include "invented_reply.h"

#include "process_noise.h"
#include "worker/warmup_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::fake {

namespace {

constexpr std::int64_t kMostSteps = 200;  // a slice, a warm-up of fixed length; replies stay small
constexpr std::int64_t kSetupNs = 100'000'000;

std::int64_t whole(const trial::KnobSettings& knobs, const char* name) {
  const auto* const number = std::get_if<std::int64_t>(&knobs.at(name));
  return number == nullptr ? 0 : *number;
}

// Samples of a step: those of all its batches, on all devices.
std::int64_t samples_of_step(const trial::TrialSpec& spec) {
  const bool is_accumulated = spec.workload.task == "train" && !spec.measure.loader_only;
  return std::max<std::int64_t>(1, whole(spec.knobs, "batch_size")) *
         (is_accumulated ? std::max<std::int64_t>(1, whole(spec.knobs, "gradient_accumulation"))
                         : 1) *
         trial::rank_count(spec);
}

double ratio_of(const Script& script, const char* name, double otherwise) {
  const auto found = script.parts.find(name);
  return found == script.parts.end() ? otherwise : found->second;
}

double data_wait_ratio(const Script& script) {
  return ratio_of(script, "data_wait", 0.2);
}

// On resident batches, to see what the model can do.
bool is_compute_ceiling(const trial::TrialSpec& spec) {
  return spec.id.starts_with("ceiling") && !spec.measure.loader_only;
}

// The share of a step that such a trial has.
double part_of_step(const Script& script, const trial::TrialSpec& spec) {
  return spec.measure.loader_only   ? data_wait_ratio(script)
         : is_compute_ceiling(spec) ? 1 - data_wait_ratio(script)
                                    : 1;
}

// Splits a time by the script's shares; the rest goes to forward.
trial::PhaseSums split(const Script& script, const trial::TrialSpec& spec, std::int64_t ns) {
  if (spec.measure.loader_only) {
    return {.data_wait_ns = ns};
  }
  const auto share = [&](const char* name, double otherwise) {
    return static_cast<std::int64_t>(static_cast<double>(ns) * ratio_of(script, name, otherwise));
  };
  trial::PhaseSums parts;
  parts.data_wait_ns = is_compute_ceiling(spec) ? 0 : share("data_wait", 0.2);
  parts.transfer_ns = share("transfer", 0.05);
  parts.backward_ns = share("backward", 0.45);
  parts.optimizer_ns = share("optimizer", 0.04);
  parts.other_ns = share("other", 0.01);
  parts.forward_ns = ns - parts.total_ns();
  return parts;
}

// A cold process: its first step takes three times as long, the next two a tenth longer.
double cold_factor(std::int64_t step) {
  return step == 0 ? 3 : step < 3 ? 1.1 : 1;
}

class Inventor {
 public:
  Inventor(const Script& script,
           const trial::TrialSpec& spec,
           StartTime start,
           noise::DriftTimeline& drift)
      : script_(script),
        spec_(spec),
        drift_(drift),
        now_ns_(start.clock_ns),
        machine_ahead_ns_(start.machine_ns - start.clock_ns),
        noise_(script.environment, noise::seed_of(script.seed, spec.id)),
        batch_(samples_of_step(spec)),
        step_ns_(std::max(1.0,
                          part_of_step(script, spec) * static_cast<double>(batch_) * 1e9 /
                              (rate_of(script, spec.knobs) * built_factor(script, spec)))) {
    const auto enough = std::ceil(static_cast<double>(spec.measure.slice_ns) / step_ns_);
    slice_steps_ = std::clamp(static_cast<std::int64_t>(enough),
                              spec.measure.slice_steps,
                              std::max(kMostSteps, spec.measure.slice_steps));
  }

  trial::TrialReply invent() {
    reply_.id = spec_.id;
    reply_.facts = {"cpu", "2.11.0", "FAKE", "fake", 2, {0, 1}, true, false};
    if (spec_.workload.device != "cpu" && !script_.gpu.empty()) {
      reply_.facts.device = "cuda";
      reply_.facts.gpu.emplace().name = script_.gpu;
    }
    span("setup", kSetupNs);
    const std::int64_t at_once = std::max<std::int64_t>(1, whole(spec_.knobs, "batch_size"));
    reply_.peak_memory_bytes =
        script_.memory.base_bytes + at_once * script_.memory.bytes_per_sample;
    if ((reply_.failure = own_failure())) {
      return std::move(reply_);
    }
    span("first-batch", static_cast<std::int64_t>(step_ns_));
    const std::int64_t warmup_begin_ns = now_ns_;
    warm_up();
    reply_.phases.push_back({"warmup", warmup_begin_ns, now_ns_});
    const std::int64_t measure_begin_ns = now_ns_;
    measure();
    reply_.phases.push_back({"measure", measure_begin_ns, now_ns_});
    span("write", 1'000'000);
    finish();
    const auto traits = script_.cells.find(spec_.cell);
    apply_traits(traits == script_.cells.end() ? CellTraits() : traits->second, spec_, reply_);
    if (reply_.sentinel) {  // it runs on the same machine
      reply_.sentinel->before_ns = drifted(reply_.sentinel->before_ns, measure_begin_ns);
      reply_.sentinel->after_ns = drifted(reply_.sentinel->after_ns, now_ns_);
    }
    return std::move(reply_);
  }

 private:
  void span(const char* name, std::int64_t ns) {
    reply_.phases.push_back({name, now_ns_, now_ns_ + ns});
    now_ns_ += ns;
  }

  std::optional<trial::Failure> own_failure() const {
    if (spec_.workload.on_gpu() && script_.gpu.empty()) {
      return trial::Failure{
          "refused", "workload.device: cuda is not available (" + script_.no_gpu.text + ") cpu?"};
    }
    const auto behaviour = behaviour_for(script_, spec_);
    const std::string action = behaviour ? behaviour->action : "";
    if (action == "refuse") {
      return trial::Failure{"refused", behaviour->message};
    }
    if (action == "throw") {
      return trial::Failure{"threw", behaviour->message};
    }
    const std::int64_t limit = script_.memory.limit_bytes;
    if (action == "out-of-memory" || (limit > 0 && reply_.peak_memory_bytes > limit)) {
      return trial::Failure{"out-of-memory",
                            behaviour && !behaviour->message.empty()
                                ? behaviour->message
                                : "wanted " + std::to_string(reply_.peak_memory_bytes) + " bytes"};
    }
    return std::nullopt;
  }

  double drift_at(std::int64_t when_ns) { return drift_.at(when_ns + machine_ahead_ns_); }

  std::int64_t drifted(std::int64_t ns, std::int64_t when_ns) {
    return std::llround(static_cast<double>(ns) * std::exp(drift_at(when_ns)));
  }

  // Times of the next steps, as long as a slice at most.
  std::vector<std::int64_t> next_steps(std::int64_t steps) {
    const auto first = static_cast<std::int64_t>(reply_.step_ns.size());
    std::vector<std::int64_t> times;
    times.reserve(static_cast<std::size_t>(steps));
    for (const double factor : noise_.next_block(first, steps, drift_at(now_ns_))) {
      const std::int64_t step = first + static_cast<std::int64_t>(times.size());
      times.push_back(
          std::max<std::int64_t>(1, std::llround(step_ns_ * factor * cold_factor(step))));
    }
    return times;
  }

  void warm_up() {
    const trial::Measure& measure = spec_.measure;
    worker::WarmupSearch search(measure);
    const std::int64_t start_ns = now_ns_;
    const auto is_over = [&] {
      const auto steps = static_cast<std::int64_t>(reply_.step_ns.size());
      if (measure.find_warmup) {
        return search.is_over(reply_.step_ns, now_ns_ - start_ns);
      }
      return steps >= std::max<std::int64_t>(1, measure.warmup_steps) &&
             (now_ns_ - start_ns >= measure.warmup_ns || steps >= kMostSteps);
    };
    while (!is_over()) {
      for (const std::int64_t ns : next_steps(slice_steps_)) {
        reply_.step_ns.push_back(ns);
        now_ns_ += ns;
        if (is_over()) {
          break;
        }
      }
    }
    reply_.warmup_steps = static_cast<std::int64_t>(reply_.step_ns.size());
    if (measure.find_warmup) {
      reply_.warmup_search = search.record();
    }
  }

  void measure() {
    if (spec_.measure.epoch) {
      add_slice((std::max<std::int64_t>(spec_.data.samples, 1) + batch_ - 1) / batch_);
    }
    for (std::int64_t i = 0; i < spec_.measure.slices; ++i) {
      add_slice(slice_steps_);
    }
  }

  void add_slice(std::int64_t steps) {
    const auto number = static_cast<std::int64_t>(reply_.slices.size()) + 1;
    const bool stalled =
        script_.stalls.every_slices > 0 && number % script_.stalls.every_slices == 0;
    trial::Slice slice;
    slice.start_ns = now_ns_;
    slice.steps = steps;
    slice.samples = steps * batch_;
    slice.epochs_begun = number == 1 ? 1 : 0;
    slice.stock_before = slice.stock_after =
        whole(spec_.knobs, "num_workers") * whole(spec_.knobs, "prefetch_factor");
    for (std::int64_t step = 0; step < steps;) {
      for (const std::int64_t ns : next_steps(std::min(slice_steps_, steps - step))) {
        trial::PhaseSums parts = split(script_, spec_, ns);
        parts.data_wait_ns += stalled && step == 0 ? script_.stalls.ns : 0;
        reply_.step_ns.push_back(parts.total_ns());
        reply_.step_phases.push_back(parts);
        slice.phases += parts;
        now_ns_ += parts.total_ns();
        ++step;
      }
    }
    slice.wall_ns = slice.phases.total_ns();
    slice.disturbance.own_cpu_ns = 2 * slice.wall_ns;
    if (spec_.measure.instructions) {
      slice.disturbance.instructions = slice.disturbance.own_cpu_ns;  // one a nanosecond
    }
    slice.disturbance.run_delay_ns = 0;
    slice.disturbance.other_cpu_ns = 0;
    slice.disturbance.steal_ns = 0;
    reply_.slices.push_back(slice);
  }

  void finish() {
    const auto steps = static_cast<std::int64_t>(reply_.step_ns.size());
    for (std::int64_t step = 1; step < steps; step *= 2) {
      reply_.losses.push_back({step, 7.0 / (1 + std::log(static_cast<double>(step)))});
    }
    reply_.losses.push_back({steps, 7.0 / (1 + std::log(static_cast<double>(steps)))});
    reply_.parameters = 1'000;
    if (spec_.workload.own.kind == trial::OwnModel::Kind::plugin) {
      reply_.own_knobs = script_.own_knobs;
    }
    reply_.loader.samples = steps * batch_;
    add_ranks();
  }

  // All wait for the last one, which waits longer for its data.
  void add_ranks() {
    const std::int64_t ranks = trial::rank_count(spec_);
    trial::RankReport whole;
    for (const trial::Slice& slice : reply_.slices) {
      whole.steps += slice.steps;
      whole.samples += slice.samples / ranks;
      whole.own += slice.phases;
    }
    const auto share = [&](const char* name, double otherwise) {
      return std::llround(static_cast<double>(whole.own.total_ns()) *
                          ratio_of(script_, name, otherwise));
    };
    const std::int64_t exposed_ns = share("communication", 0.02), late_ns = share("straggler", 0);
    whole.own.backward_ns -= exposed_ns + late_ns;
    whole.peak_memory_bytes = reply_.peak_memory_bytes;
    for (std::int64_t rank = 0; ranks > 1 && rank < ranks; ++rank) {
      trial::RankReport& report = reply_.ranks.emplace_back(whole);
      const bool is_late = rank + 1 == ranks;
      report.rank = rank;
      report.own.data_wait_ns += is_late ? late_ns : 0;
      report.communication_ns = exposed_ns + (is_late ? 0 : late_ns);
    }
  }

  const Script& script_;
  const trial::TrialSpec& spec_;
  noise::DriftTimeline& drift_;
  std::int64_t now_ns_;
  std::int64_t machine_ahead_ns_;  // of the reply's clock
  ProcessNoise noise_;
  std::int64_t batch_;  // samples of a step
  double step_ns_;
  std::int64_t slice_steps_ = 0;
  trial::TrialReply reply_;
};

}  // namespace

noise::DriftTimeline drift_of(const Script& script) {
  return {script.environment, script.seed};
}

trial::TrialReply invent_reply(const Script& script,
                               const trial::TrialSpec& spec,
                               StartTime start,
                               noise::DriftTimeline& drift) {
  return Inventor(script, spec, start, drift).invent();
}

std::int64_t duration_ns(const trial::TrialReply& reply) {
  return reply.phases.empty() ? 0 : reply.phases.back().end_ns - reply.phases.front().start_ns;
}

}  // namespace tune::fake
