#include "worker/running_trial.h"

namespace tune::worker {

// When each epoch starts new threads, training waits for its first batch.
StepRecord RunningTrial::next_step() {
  constexpr std::size_t kMostEpochs = 1'000;
  const std::int64_t number = step.steps();
  begin_step();
  step.fetch();
  const StepRecord record = step.compute();
  end_step(record);
  if (record.begins_epoch && reply.epoch_begins.size() < kMostEpochs) {
    reply.epoch_begins.push_back({number, record.phases.data_wait_ns});
  }
  return record;
}

void RunningTrial::begin_step() {
  if (group != nullptr) {
    group->rank.begin_step(step.steps() + 1);
    if (spec.measure.loader_only) {  // no gradients keep the ranks together
      group->rank.page().meet(step.steps() + 1);
    }
  }
}

void RunningTrial::end_step(const StepRecord& record) {
  if (group != nullptr) {
    group->rank.end_step(step.steps(), record, group->average.take_exposed());
  }
}

// Without the synchronisation the host would run ahead, and the times of the first steps would be
// those of their launches.
void RunningTrial::keep_waited_step(trial::PhaseSums phases_of_step) {
  phases_of_step += wait_for_gpu();
  keep_step(phases_of_step);
}

trial::PhaseSums RunningTrial::wait_for_gpu() {
  if (gpu == nullptr) {
    return {};
  }
  gpu->synchronize();
  step.clock().charge(&trial::PhaseSums::other_ns);
  return step.clock().take();
}

void RunningTrial::keep_step_ns(std::int64_t step_ns) {
  if (reply.step_ns.size() < kMostSteps) {
    reply.step_ns.push_back(step_ns);
  }
}

}  // namespace tune::worker
