#include "worker/training_step.h"

#include "worker/busy_wait.h"
#include "worker/knob/amp.h"
#include "worker/recorder/range.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <c10/core/InferenceMode.h>

#include <cmath>
#include <utility>

namespace tune::worker {

using trial::PhaseSums;

TrainingStep::TrainingStep(const trial::TrialSpec& spec,
                           const StepSettings& settings,
                           Model& model,
                           Loader& loader)
    : spec_(spec),
      settings_(settings),
      model_(model),
      loader_(loader),
      host_work_(spec),
      model_input_(settings.layout) {
  if (spec.workload.task == "train") {
    const std::string optimizer = spec.workload.optimizer == "adamw" ? "AdamW" : "SGD";
    step_range_ = "Optimizer.step#" + optimizer + ".step";  // torch.profiler's names
    zero_grad_range_ = "Optimizer.zero_grad#" + optimizer + ".zero_grad";
    optimizer_ = make_optimizer(settings.optimizer_call, spec.workload, model.parameters());
    if (settings.autocast == StepSettings::Autocast::fp16) {
      scaler_.emplace();
    }
  }
}

void TrainingStep::fetch() {
  clock_.charge(&PhaseSums::other_ns);  // what the caller did since the last step
  {
    const Range wait("enumerate(DataLoader)#tune.__next__");  // as torch.profiler calls it
    batch_ = loader_.next();
  }
  batch_bytes_ = static_cast<std::int64_t>(batch_.images.nbytes() + batch_.labels.nbytes());
  clock_.charge(&PhaseSums::data_wait_ns);
  if (spec_.measure.loader_only) {
    return;
  }
  {
    const Range transfer("transfer");
    input_ = model_input_.make(batch_.images);
    if (!input_.is_alias_of(batch_.images)) {
      batch_.images.reset();
      batch_.slot.reset();  // the loader can fill it again while we compute
    }
  }
  clock_.charge(&PhaseSums::transfer_ns);
}

StepRecord TrainingStep::compute() {
  StepRecord record;
  record.samples = batch_.labels.size(0);
  record.begins_epoch = steps_ % loader_.batches_per_epoch() == 0;  // in whatever order they come
  ++steps_;
  if (spec_.measure.loader_only) {
    batch_ = Batch();  // the loader can fill it again
  } else {
    work();
  }
  clock_.charge(&PhaseSums::other_ns);
  if (spec_.measure.delay_ratio > 0) {
    record.delay_ns = delay();
  }
  record.phases = clock_.take();
  return record;
}

void TrainingStep::work() {
  if (optimizer_) {
    train();
  } else {
    infer();
  }
  host_work_.after_step(steps_, model_, losses_);
}

// On this thread, on which everything else waits.
std::int64_t TrainingStep::delay() {
  const std::int64_t own_ns = clock_.passed_ns();
  busy_wait_ns(std::llround(static_cast<double>(own_ns) * spec_.measure.delay_ratio));
  clock_.charge(&PhaseSums::other_ns);
  return clock_.passed_ns() - own_ns;
}

void TrainingStep::train() {
  at::Tensor loss;
  {
    const Range forward("forward");
    const AutocastGuard autocast(settings_.autocast);
    loss = at::cross_entropy_loss(model_.forward(input_), batch_.labels);
  }
  clock_.charge(&PhaseSums::forward_ns);
  {
    const Range backward("backward");
    (scaler_ ? scaler_->scale(loss) : loss).backward();
    losses_.keep(steps_, loss.tensor_data());  // in every step, so without detach()'s operator call
    loss.reset();
    input_.reset();
    batch_ = Batch();
  }
  clock_.charge(&PhaseSums::backward_ns);
  optimize();
  clock_.charge(&PhaseSums::optimizer_ns);
}

void TrainingStep::optimize() {
  {
    const Range step(step_range_);
    if (!scaler_ || scaler_->unscale(optimizer_->gradients())) {
      optimizer_->step();
    }
  }
  const Range zero_grad(zero_grad_range_);
  optimizer_->zero_grad();
}

void TrainingStep::infer() {
  const c10::InferenceMode no_autograd;
  at::Tensor scores;
  {
    const Range forward("forward");
    const AutocastGuard autocast(settings_.autocast);
    scores = model_.forward(input_);
  }
  input_.reset();
  clock_.charge(&PhaseSums::forward_ns);
  // Nobody who infers computes a loss; here it says whether a knob has changed the answers.
  losses_.keep_scores(steps_, std::move(scores), batch_.labels);
  batch_ = Batch();
}

}  // namespace tune::worker
