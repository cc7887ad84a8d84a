#include "invented_reply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tune::fake {

namespace {

std::int64_t whole(const trial::KnobSettings& knobs, const char* name) {
  const auto* const number = std::get_if<std::int64_t>(&knobs.at(name));
  return number == nullptr ? 0 : *number;
}

// Splits a time by the script's shares; what is left goes to forward.
trial::PhaseSums split(const Script& script, std::int64_t ns) {
  const auto share = [&](const char* name, double otherwise) {
    const auto found = script.parts.find(name);
    const double ratio = found == script.parts.end() ? otherwise : found->second;
    return static_cast<std::int64_t>(static_cast<double>(ns) * ratio);
  };
  trial::PhaseSums parts;
  parts.data_wait_ns = share("data_wait", 0.2);
  parts.transfer_ns = share("transfer", 0.05);
  parts.backward_ns = share("backward", 0.45);
  parts.optimizer_ns = share("optimizer", 0.04);
  parts.other_ns = share("other", 0.01);
  parts.forward_ns = ns - parts.total_ns();
  return parts;
}

class Inventor {
 public:
  Inventor(const Script& script, const trial::TrialSpec& spec, std::int64_t now_ns)
      : script_(script),
        spec_(spec),
        now_ns_(now_ns),
        batch_(std::max<std::int64_t>(1, whole(spec.knobs, "batch_size"))),
        step_ns_(std::max(1.0, static_cast<double>(batch_) * 1e9 / rate_of(script, spec.knobs))) {}

  trial::TrialReply invent() {
    reply_.id = spec_.id;
    reply_.facts = {"cpu", "2.11.0", "FAKE", "fake", 2, {0, 1}, true, false};
    span("setup", 100'000'000);
    span("first-batch", static_cast<std::int64_t>(step_ns_));
    const std::int64_t warmup_begin_ns = now_ns_;
    reply_.warmup_steps = std::max<std::int64_t>(1, spec_.measure.warmup_steps);
    for (std::int64_t i = 0; i < reply_.warmup_steps; ++i) {
      reply_.step_ns.push_back(static_cast<std::int64_t>(step_ns_ * (i == 0 ? 3 : 1.1)));
      now_ns_ += reply_.step_ns.back();
    }
    reply_.phases.push_back({"warmup", warmup_begin_ns, now_ns_});
    const std::int64_t measure_begin_ns = now_ns_;
    measure();
    reply_.phases.push_back({"measure", measure_begin_ns, now_ns_});
    span("write", 1'000'000);
    finish();
    const auto traits = script_.cells.find(spec_.cell);
    apply_traits(traits == script_.cells.end() ? CellTraits() : traits->second, spec_, reply_);
    return std::move(reply_);
  }

 private:
  void span(const char* name, std::int64_t ns) {
    reply_.phases.push_back({name, now_ns_, now_ns_ + ns});
    now_ns_ += ns;
  }

  void measure() {
    const bool epoch = spec_.measure.epoch;
    const auto slices = epoch ? std::size_t{1} : static_cast<std::size_t>(spec_.measure.slices);
    const auto factors = slowdowns(script_.noise, mixed_seed(script_.seed, spec_.id), slices);
    constexpr std::int64_t kMostSteps = 200;  // a slice; replies stay small
    const auto enough = std::ceil(static_cast<double>(spec_.measure.slice_ns) / step_ns_);
    const auto whole_epoch = (std::max<std::int64_t>(spec_.data.samples, 1) + batch_ - 1) / batch_;
    const auto steps = epoch ? whole_epoch
                             : std::clamp(static_cast<std::int64_t>(enough),
                                          spec_.measure.slice_steps,
                                          std::max(kMostSteps, spec_.measure.slice_steps));
    const std::int64_t stock =
        whole(spec_.knobs, "num_workers") * whole(spec_.knobs, "prefetch_factor");
    for (std::size_t i = 0; i < slices; ++i) {
      trial::Slice slice;
      slice.start_ns = now_ns_;
      slice.steps = steps;
      slice.samples = steps * batch_;
      slice.epochs_begun = i == 0 ? 1 : 0;
      slice.stock_before = slice.stock_after = stock;
      const bool stalled = script_.stalls.every_slices > 0 &&
                           (static_cast<std::int64_t>(i) + 1) % script_.stalls.every_slices == 0;
      for (std::int64_t step = 0; step < steps; ++step) {
        trial::PhaseSums parts =
            split(script_, std::max<std::int64_t>(1, std::llround(step_ns_ * factors[i])));
        parts.data_wait_ns += stalled && step == 0 ? script_.stalls.ns : 0;
        reply_.step_ns.push_back(parts.total_ns());
        reply_.step_phases.push_back(parts);
        slice.phases += parts;
      }
      slice.wall_ns = slice.phases.total_ns();
      slice.disturbance.own_cpu_ns = 2 * slice.wall_ns;
      slice.disturbance.run_delay_ns = 0;
      slice.disturbance.other_cpu_ns = 0;
      slice.disturbance.steal_ns = 0;
      now_ns_ += slice.wall_ns;
      reply_.slices.push_back(slice);
    }
  }

  void finish() {
    const auto steps = static_cast<std::int64_t>(reply_.step_ns.size());
    for (std::int64_t step = 1; step < steps; step *= 2) {
      reply_.losses.push_back({step, 7.0 / (1 + std::log(static_cast<double>(step)))});
    }
    reply_.losses.push_back({steps, 7.0 / (1 + std::log(static_cast<double>(steps)))});
    reply_.peak_memory_bytes = script_.memory.base_bytes + batch_ * script_.memory.bytes_per_sample;
    reply_.parameters = 1'000;
    reply_.loader.samples = steps * batch_;
  }

  const Script& script_;
  const trial::TrialSpec& spec_;
  std::int64_t now_ns_;
  std::int64_t batch_;
  double step_ns_;
  trial::TrialReply reply_;
};

}  // namespace

trial::TrialReply invent_reply(const Script& script,
                               const trial::TrialSpec& spec,
                               std::int64_t now_ns) {
  return Inventor(script, spec, now_ns).invent();
}

}  // namespace tune::fake
