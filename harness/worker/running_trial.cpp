#include "worker/running_trial.h"

namespace tune::worker {

// Where threads are started anew for each epoch its first batch is waited for.
StepRecord RunningTrial::next_step() {
  constexpr std::size_t kMostEpochs = 1'000;
  const std::int64_t number = step.steps();
  step.fetch();
  const StepRecord record = step.compute();
  if (record.begins_epoch && reply.epoch_begins.size() < kMostEpochs) {
    reply.epoch_begins.push_back({number, record.phases.data_wait_ns});
  }
  return record;
}

void RunningTrial::keep_step(const trial::PhaseSums& phases_of_step) {
  if (reply.step_ns.size() < kMostSteps) {
    reply.step_ns.push_back(phases_of_step.total_ns());
  }
}

}  // namespace tune::worker
