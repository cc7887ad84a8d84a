#include "worker/rank_window.h"

#include "machine/memory.h"
#include "worker/warm_up.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune::worker {

namespace {

// `sums` has the exposed communication in its backward phase.
trial::PhaseSums own_on_device(const trial::DevicePhaseSums& sums, std::int64_t communication_ns) {
  trial::PhaseSums own;
  own.data_wait_ns = sums.idle_ns;
  own.transfer_ns = sums.transfer_ns;
  own.forward_ns = sums.forward_ns;
  own.backward_ns = sums.backward_ns - communication_ns;
  own.optimizer_ns = sums.optimizer_ns;
  return own;
}

void complete_first(const RunningTrial& trial, const GpuWindow* gpu, trial::RankReport& report) {
  report.peak_memory_bytes = trial::peak_memory_bytes(trial.reply);
  if (gpu == nullptr) {
    return;
  }
  trial::DevicePhaseSums sums;
  for (const trial::Slice& slice : trial.reply.slices) {
    sums += slice.device.value_or(trial::DevicePhaseSums());
  }
  report.gpu = trial.gpu->facts().uuid;
  report.communication_ns = gpu->communication_ns();
  report.own = own_on_device(sums, report.communication_ns);
}

// The events of a rank that does not know when the window begins are those of all its steps, of
// which the timer keeps the first 100,000.
void complete_other(const RunningTrial& trial, trial::RankReport& report) {
  if (trial.gpu == nullptr) {
    report.peak_memory_bytes = machine::peak_memory_bytes();
    return;
  }
  trial.gpu->synchronize();
  const std::vector<DevicePhases> steps = trial.gpu->timer().collect();
  const RankPage& page = trial.group->rank.page();
  const auto most = static_cast<std::int64_t>(steps.size());
  trial::DevicePhaseSums sums;
  report.communication_ns = 0;
  for (std::int64_t i = page.window_begin(); i < std::min(most, page.window_end()); ++i) {
    const DevicePhases& step = steps[static_cast<std::size_t>(i)];
    sums.idle_ns += step.gap_ns;
    sums.transfer_ns += step.transfer_ns;
    sums.forward_ns += step.forward_ns;
    sums.backward_ns += step.backward_ns + step.communication_ns;
    sums.optimizer_ns += step.optimizer_ns;
    report.communication_ns += step.communication_ns;
  }
  report.gpu = trial.gpu->facts().uuid;
  report.peak_memory_bytes = trial.gpu->memory().peak_allocated_bytes;
  report.own = own_on_device(sums, report.communication_ns);
}

void add_ranks(trial::TrialReply& reply) {
  const std::int64_t samples = reply.ranks.front().samples;
  std::int64_t peak_bytes = 0;
  for (const trial::RankReport& rank : reply.ranks) {
    peak_bytes += rank.peak_memory_bytes;
    if (rank.samples != samples) {
      throw std::runtime_error("rank " + std::to_string(rank.rank) + " measured " +
                               std::to_string(rank.samples) + " samples, rank 0 " +
                               std::to_string(samples) + " (their batches must be as large)");
    }
  }
  const auto ranks = static_cast<std::int64_t>(reply.ranks.size());
  for (trial::Slice& slice : reply.slices) {
    slice.samples *= ranks;
  }
  if (!reply.device_memory) {
    reply.peak_memory_bytes = peak_bytes;
  }
}

}  // namespace

void begin_rank_window(RunningTrial& trial) {
  if (trial.group != nullptr) {
    trial.group->rank.page().begin_window(trial.step.steps());
  }
}

// In the step after the window each rank says what it measured.
void end_rank_window(RunningTrial& trial, const GpuWindow* gpu) {
  if (trial.group == nullptr) {
    return;
  }
  OwnRank& rank = trial.group->rank;
  rank.set_completion([&](trial::RankReport& report) { complete_first(trial, gpu, report); });
  rank.page().end_window(trial.step.steps());
  trial.next_step();
  trial.reply.ranks = rank.all_reports();
  add_ranks(trial.reply);
}

void end_ranks(RunningTrial& trial, RankProcesses* others) {
  if (trial.group == nullptr || others == nullptr) {
    return;
  }
  others->allow_to_end();
  trial.group->rank.page().end_after(trial.step.steps() + 1);
  trial.next_step();
  trial.wait_for_gpu();
  others->wait_for_end();
}

void train_along(RunningTrial& trial) {
  OwnRank& rank = trial.group->rank;
  rank.set_completion([&](trial::RankReport& report) { complete_other(trial, report); });
  if (trial.gpu != nullptr) {
    trial.step.set_timer(&trial.gpu->timer());
  }
  first_step(trial);
  while (!rank.page().is_last(trial.step.steps())) {
    trial.next_step();
  }
  trial.wait_for_gpu();
}

}  // namespace tune::worker
