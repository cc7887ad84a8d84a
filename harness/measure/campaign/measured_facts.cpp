#include "measure/campaign/measured_facts.h"

#include "base/stats/quantile.h"
#include "measure/campaign/window_facts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace tune::campaign {

namespace {

using expression::Dimension;
using expression::Result;
using expression::Unknown;
using expression::Value;

constexpr Dimension kTime{.time = 1};
constexpr Dimension kRate{.time = -1};

/// The windows of several processes of one setting, end to end.
struct JoinedWindow {
  std::vector<trial::Slice> slices;
  std::vector<trial::PhaseSums> steps;
  std::vector<double> device_steps_s;  // the host runs ahead of a GPU; events know its steps
};

JoinedWindow joined(const std::vector<const TrialRecord*>& trials) {
  JoinedWindow window;
  for (const TrialRecord* const trial : trials) {
    const trial::TrialReply& reply = *trial->outcome.reply;
    window.slices.insert(window.slices.end(), reply.slices.begin(), reply.slices.end());
    window.steps.insert(window.steps.end(), reply.step_phases.begin(), reply.step_phases.end());
    for (const trial::DevicePhaseSums& step : reply.device_steps) {
      window.device_steps_s.push_back(static_cast<double>(step.total_ns()) * 1e-9);
    }
  }
  return window;
}

// "trial r3-baseline", or "8 trials of stage confirm".
std::string source_of(const std::vector<const TrialRecord*>& trials) {
  return trials.size() == 1
             ? "trial " + trials.front()->spec.id
             : std::to_string(trials.size()) + " trials of stage " + trials.front()->stage;
}

class MeasuredFacts {
 public:
  MeasuredFacts(const std::vector<const TrialRecord*>& trials, rule::FactTable& facts)
      : spec_(trials.front()->spec),
        reply_(*trials.front()->outcome.reply),
        window_(joined(trials)),
        facts_(facts),
        source_(source_of(trials)) {}

  void add() {
    if (!(sums_.steps > 0) || !(wall_s_ > 0)) {
      return;
    }
    add_shares();
    add_rates();
    add_waits();
    add_step_times();
    add_counters();
    if (reply_.facts.gpu) {
      add_device_phases(window_.slices, source_, facts_);
    }
  }

 private:
  void set(const char* name, Result result) {
    facts_.set(name, {.result = std::move(result), .source = source_, .window = "measure"});
  }
  void set(const char* name, double value, Dimension dimension = {}) {
    set(name, Result(Value::of(value, dimension)));
  }
  void set_known(const char* name, const std::optional<double>& value) {
    set(name, value ? Result(Value::of(*value)) : Result(Unknown{"the kernel does not report it"}));
  }

  // Whole ns: seconds that are rounded slice by slice would make 0.5 of many slices a bit more.
  double share(std::int64_t ns) const { return static_cast<double>(ns) / sums_.wall_ns; }

  void add_shares() {
    set("data_wait_ratio", share(sums_.phases.data_wait_ns));
    // With a GPU the host's clock times the launch of the optimizer, and its waits for the device
    // as other work: the number of the trace is kept.
    if (reply_.facts.device == "cpu") {
      set("optimizer_ratio", share(sums_.phases.optimizer_ns));
      add_host_work(spec_, share(sums_.phases.other_ns), source_, facts_);
    }
  }

  void add_rates() {
    set("throughput", sums_.samples / wall_s_, kRate);
    if (const double own_ns = sums_.wall_ns - sums_.data_wait_ns(); own_ns > 0) {
      set("consumer_rate", sums_.samples / (own_ns * 1e-9), kRate);
    }
    if (const auto batch_s = python_batch_s(spec_, sums_)) {
      set("loader_batch_time", *batch_s, kTime);
    }
  }

  void add_waits() {
    if (window_.steps.empty()) {
      return;
    }
    constexpr double kLongSeconds = 30e-3;  // as in traces: gpuprof
    std::vector<double> seconds;
    seconds.reserve(window_.steps.size());
    for (const trial::PhaseSums& step : window_.steps) {
      seconds.push_back(static_cast<double>(step.data_wait_ns) * 1e-9);
    }
    const auto count = static_cast<double>(seconds.size());
    const auto long_ones = std::count_if(
        seconds.begin(), seconds.end(), [](double wait) { return wait > kLongSeconds; });
    set("long_wait_ratio", static_cast<double>(long_ones) / count);
    set("data_wait_p95", stats::quantile(std::move(seconds), 0.95), kTime);
  }

  void add_step_times() {
    std::vector<double> seconds = window_.device_steps_s;
    if (seconds.empty()) {
      seconds.reserve(window_.steps.size());
      for (const trial::PhaseSums& step : window_.steps) {
        seconds.push_back(static_cast<double>(step.total_ns()) * 1e-9);
      }
    }
    if (seconds.empty()) {
      return;
    }
    const auto count = static_cast<double>(seconds.size());
    facts_.step_count = static_cast<std::int64_t>(seconds.size());
    set("step_time_mean", std::accumulate(seconds.begin(), seconds.end(), 0.0) / count, kTime);
    const double median = stats::median(std::move(seconds));
    set("step_time", median, kTime);
    set("step_time_p50", median, kTime);
  }

  void add_counters() {
    const double wall_ns = sums_.wall_ns;
    const auto over = [](const std::optional<double>& sum, double by) {
      return sum && by > 0 ? std::optional(*sum / by) : std::nullopt;
    };
    set("minor_fault_count", sums_.minor_faults / sums_.steps);
    set("context_switch_rate", sums_.switches / wall_s_, kRate);
    set_known("run_delay_ratio", over(sums_.run_delay_ns, sums_.own_cpu_ns));
    set_known("main_thread_run_delay_ratio", over(sums_.main_run_delay_ns, wall_ns));
    set_known("other_cpu_cores", over(sums_.other_cpu_ns, wall_ns));
    set_known("psi_cpu_ratio", over(sums_.pressure_cpu_ns, wall_ns));
    const auto cpus = static_cast<double>(std::max<std::size_t>(reply_.facts.cpus.size(), 1));
    set_known("steal_ratio", over(sums_.steal_ns, wall_ns * cpus));
  }

  const trial::TrialSpec& spec_;
  const trial::TrialReply& reply_;  // what is equal in all of them
  const JoinedWindow window_;
  rule::FactTable& facts_;
  std::string source_;
  const trial::WindowSums sums_ = trial::window_sums(window_.slices);
  const double wall_s_ = sums_.wall_s();
};

}  // namespace

std::vector<const TrialRecord*> window_trials(const std::vector<const TrialRecord*>& of_cell,
                                              const std::string& stage) {
  for (const std::string& each : {std::string("confirm"), stage}) {
    std::vector<const TrialRecord*> found;
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> by_slot;
    for (const TrialRecord* const trial : of_cell) {
      if (trial->stage != each || !trial->outcome.reply ||
          trial->outcome.kind != runner::OutcomeKind::completed) {
        continue;
      }
      const auto [slot, is_new] =
          by_slot.emplace(std::pair(trial->shard, trial->round), found.size());
      if (is_new) {
        found.push_back(trial);
      } else {
        found[slot->second] = trial;
      }
    }
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

std::vector<const TrialRecord*> window_trials(const CampaignResult& result,
                                              const CellResult& cell) {
  std::vector<const TrialRecord*> of_cell;
  for (const TrialRecord& trial : result.trials) {
    if (trial.spec.cell == cell.cell.id) {
      of_cell.push_back(&trial);
    }
  }
  return window_trials(of_cell, cell.stage);
}

void add_measured_facts(const std::vector<const TrialRecord*>& trials, rule::FactTable& facts) {
  if (!trials.empty()) {
    MeasuredFacts(trials, facts).add();
  }
}

}  // namespace tune::campaign
