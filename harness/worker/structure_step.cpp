#include "worker/structure_step.h"

#include "worker/structure_count.h"

#include <bit>

namespace tune::worker {

namespace {

bool happens_at(std::int64_t step, std::int64_t every) {
  return every > 1 && step % every == 0;  // what happens in every step is usual
}

bool is_next_usual(const RunningTrial& trial) {
  const std::int64_t last = trial.step.steps_per_epoch() - 1;
  const std::int64_t index = trial.index_in_epoch();
  const bool is_inside = last < 2 ? index == 0 : index > 0 && index < last;
  const std::int64_t number = trial.step.steps() + 1;
  const auto keeps_loss = [](std::int64_t step) {
    return std::has_single_bit(static_cast<std::uint64_t>(step));
  };
  // The loss that is kept in one step is not given back in the next.
  return is_inside && !keeps_loss(number) && !keeps_loss(number - 1) &&
         !happens_at(number, trial.spec.workload.log_every) &&
         !happens_at(number, trial.spec.workload.checkpoint_every);
}

}  // namespace

void count_usual_step(RunningTrial& trial) {
  constexpr int kMostOthers = 64;  // nothing but odd pairs of intervals needs more than a few
  for (int i = 0; i < kMostOthers && !is_next_usual(trial); ++i) {
    trial.next_step();
  }
  const auto step = [&trial] {
    trial.step.fetch();
    trial.step.compute();
  };
  const std::int64_t threads = trial.reply.structure ? trial.reply.structure->threads : 0;
  trial.reply.structure = count_structure(step);
  trial.reply.structure->batch_bytes = trial.step.batch_bytes();
  trial.reply.structure->threads = threads;
}

}  // namespace tune::worker
