#include "measure/campaign/epoch_time.h"

#include "base/units.h"
#include "measure/campaign/taint.h"

#include <algorithm>
#include <set>

namespace tune::campaign {

namespace {

std::int64_t batch_size_of(const trial::TrialSpec& spec) {
  const auto knob = spec.knobs.find("batch_size");
  const auto* const size =
      knob == spec.knobs.end() ? nullptr : std::get_if<std::int64_t>(&knob->second);
  return size == nullptr ? 1 : *size;
}

// What the measured steps wait for data, those that begin an epoch left out.
double usual_wait_ns(const trial::TrialReply& reply, const std::set<std::int64_t>& begins) {
  double sum_ns = 0;
  double steps = 0;
  for (std::size_t i = 0; i < reply.step_phases.size(); ++i) {
    if (!begins.contains(reply.warmup_steps + static_cast<std::int64_t>(i))) {
      sum_ns += static_cast<double>(reply.step_phases[i].data_wait_ns);
      ++steps;
    }
  }
  return steps > 0 ? sum_ns / steps : 0;
}

// Begins of epochs and what each cost: in the measured window, else (none fell into it) before.
class BeginCosts {
 public:
  explicit BeginCosts(const trial::TrialReply& reply) {
    std::set<std::int64_t> begins;
    for (const trial::EpochBegin& begin : reply.epoch_begins) {
      begins.insert(begin.step);
    }
    const double usual_ns = usual_wait_ns(reply, begins);
    for (const trial::EpochBegin& begin : reply.epoch_begins) {
      const double excess_ns = std::max(0.0, static_cast<double>(begin.data_wait_ns) - usual_ns);
      all_.push_back({begin.step, excess_ns});
    }
    const auto measured = [&](const Cost& cost) { return cost.step >= reply.warmup_steps; };
    const bool any = std::any_of(all_.begin(), all_.end(), measured);
    double sum_ns = 0;
    for (const Cost& cost : all_) {
      if (!any || measured(cost)) {
        sum_ns += cost.excess_ns;
        ++count_;
      }
    }
    mean_ns_ = count_ > 0 ? sum_ns / static_cast<double>(count_) : 0;
  }

  double mean_ns() const { return mean_ns_; }
  std::int64_t count() const { return count_; }

  double between_ns(std::int64_t first_step, std::int64_t end_step) const {
    double sum_ns = 0;
    for (const Cost& cost : all_) {
      sum_ns += cost.step >= first_step && cost.step < end_step ? cost.excess_ns : 0;
    }
    return sum_ns;
  }

 private:
  struct Cost {
    std::int64_t step;
    double excess_ns;
  };
  std::vector<Cost> all_;
  std::int64_t count_ = 0;
  double mean_ns_ = 0;
};

// The rate is of the slices from `first` on, the cost of starting an epoch of all slices.
std::optional<EpochTime> from_slices(const trial::TrialReply& reply,
                                     const trial::TrialSpec& spec,
                                     std::size_t first) {
  const std::int64_t samples = reply.script ? reply.script->epoch_samples.value_or(0)
                                            : samples_per_epoch(spec.data, batch_size_of(spec));
  const CleanRate clean = clean_rate(reply);
  const BeginCosts costs(reply);
  double wall_ns = 0;
  double delivered = 0;
  std::int64_t step = reply.warmup_steps;
  for (std::size_t i = 0; i < reply.slices.size(); ++i) {
    const trial::Slice& slice = reply.slices[i];
    if (i >= first && clean.is_clean[i]) {
      wall_ns += static_cast<double>(slice.wall_ns) - costs.between_ns(step, step + slice.steps);
      delivered += static_cast<double>(slice.samples);
    }
    step += slice.steps;
  }
  if (samples <= 0 || delivered <= 0) {
    return std::nullopt;
  }
  EpochTime time;
  time.training_s = static_cast<double>(samples) * wall_ns / delivered * 1e-9;
  time.begin_s = costs.mean_ns() * 1e-9;
  time.begins = costs.count();
  time.total_s = time.training_s + time.begin_s;
  if (time.begins == 0) {
    time.warning = "no epoch began while it was measured: what a begin costs is not in it";
  }
  return time;
}

}  // namespace

std::string mismatch_text(const EpochCheck& check) {
  return "a whole epoch took " + format_seconds(check.measured_s) +
         ", the one computed from slices of the same process is " +
         format_seconds(check.estimated_s);
}

std::int64_t samples_per_epoch(const trial::Data& data, std::int64_t batch_size) {
  const std::int64_t batch = std::max<std::int64_t>(batch_size, 1);
  return data.drop_last ? data.samples / batch * batch : data.samples;
}

std::optional<EpochTime> epoch_time(const trial::TrialReply& reply, const trial::TrialSpec& spec) {
  return from_slices(reply, spec, 0);
}

std::optional<EpochCheck> epoch_check(const trial::TrialReply& reply,
                                      const trial::TrialSpec& spec) {
  if (reply.slices.empty() || !clean_rate(reply).is_clean.front()) {
    return std::nullopt;
  }
  const auto computed = from_slices(reply, spec, 1);
  return computed
             ? std::optional(EpochCheck{computed->total_s,
                                        static_cast<double>(reply.slices.front().wall_ns) * 1e-9})
             : std::nullopt;
}

}  // namespace tune::campaign
