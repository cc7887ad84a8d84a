#include "worker/warm_up.h"

#include "machine/process_usage.h"
#include "worker/data/loader_options.h"
#include "worker/reference_work.h"
#include "worker/warmup_search.h"

#include <chrono>
#include <thread>

namespace tune::worker {

namespace {

// With cudnn_benchmark cuDNN tries its algorithms at each new size: without this it would do so in
// the measured window, at the smaller last batch of an epoch.
void rehearse_last_batch(RunningTrial& trial) {
  const trial::KnobSettings& knobs = trial.spec.knobs;
  const auto benchmark = knobs.find("cudnn_benchmark");
  const bool is_on = benchmark != knobs.end() && benchmark->second == trial::KnobValue(true);
  const std::int64_t last = trial.loader.last_batch_size();
  if (is_on && !trial.spec.measure.loader_only && last > 0 &&
      last < read_loader_options(knobs).batch_size) {
    trial.step.rehearse(last);
  }
}

// Returns the time when it began to compute.
std::int64_t measured_first_step(RunningTrial& trial) {
  const std::int64_t start_ns = first_step(trial);
  if (trial.spec.measure.structure) {  // now, for loader threads may end before their epoch does
    trial.reply.structure.emplace().threads = machine::thread_count().value_or(0);
    trial.step.clock().restart();
  }
  return start_ns;
}

// Returns the loader's stock before the last check.
std::int64_t search(RunningTrial& trial, std::int64_t start_ns) {
  WarmupSearch search(trial.spec.measure);
  std::int64_t stock = trial.loader.samples_ahead();
  while (!search.is_over(trial.reply.step_ns, monotonic_ns() - start_ns) ||
         trial.step.awaits_capture()) {
    trial.step.clock().restart();  // checking is not part of a step
    trial.warm_step();
    stock = trial.loader.samples_ahead();
  }
  trial.reply.warmup_search = search.record();
  return stock;
}

void wait_for_loader(const RunningTrial& trial) {
  constexpr std::chrono::milliseconds kLook(5);
  constexpr std::int64_t kStillNs = 50'000'000;
  constexpr std::int64_t kLongestNs = 1'000'000'000;
  if (trial.spec.data.source == "synthetic" ||
      read_loader_options(trial.spec.knobs).num_workers == 0) {
    return;
  }
  const std::int64_t start_ns = monotonic_ns();
  std::int64_t changed_ns = start_ns;
  std::int64_t stock = trial.loader.samples_ahead();
  while (monotonic_ns() - changed_ns < kStillNs && monotonic_ns() - start_ns < kLongestNs) {
    std::this_thread::sleep_for(kLook);
    if (const std::int64_t now = trial.loader.samples_ahead(); now != stock) {
      stock = now;
      changed_ns = monotonic_ns();
    }
  }
}

}  // namespace

std::int64_t first_step(RunningTrial& trial) {
  trial.begin_step();
  trial.step.fetch();
  trial.phases.begin("first-batch");
  const std::int64_t start_ns = monotonic_ns();
  rehearse_last_batch(trial);
  const StepRecord record = trial.step.compute();
  trial.end_step(record);
  trial.keep_waited_step(record.phases);
  return start_ns;
}

void settle_stock(RunningTrial& trial, std::int64_t stock, const std::function<void()>& step) {
  const std::int64_t batch = read_loader_options(trial.spec.knobs).batch_size;
  const std::int64_t surplus = trial.loader.samples_ahead() - stock;
  const std::int64_t most_steps = surplus > 0 ? 1 + 2 * (surplus + batch - 1) / batch : 1;
  trial.step.clock().restart();
  step();
  for (std::int64_t i = 1; i < most_steps && trial.loader.samples_ahead() > stock; ++i) {
    step();
  }
}

std::int64_t time_sentinel_ns(const RunningTrial& trial) {
  if (trial.gpu != nullptr) {
    trial.gpu->synchronize();
  }
  wait_for_loader(trial);
  if (trial.group != nullptr) {
    trial.group->rank.page().settle(trial.spec.rank);
  }
  return run_sentinel().wall_ns;
}

void warm_up(RunningTrial& trial) {
  const trial::Measure& measure = trial.spec.measure;
  const std::int64_t start_ns = measured_first_step(trial);
  trial.phases.begin("warmup");
  std::int64_t stock = 0;
  if (measure.find_warmup) {
    stock = search(trial, start_ns);
  } else {
    while (trial.step.steps() < measure.warmup_steps ||
           monotonic_ns() - start_ns < measure.warmup_ns || trial.step.awaits_capture()) {
      trial.warm_step();
    }
    stock = trial.loader.samples_ahead();
  }
  if (measure.sentinel) {
    trial.reply.sentinel.emplace().before_ns = time_sentinel_ns(trial);
  }
  if (measure.find_warmup || measure.sentinel) {
    settle_stock(trial, stock, [&trial] { trial.warm_step(); });
  }
  while (measure.epoch && trial.index_in_epoch() != 0) {
    trial.warm_step();
  }
  trial.reply.warmup_steps = trial.step.steps();
}

}  // namespace tune::worker
