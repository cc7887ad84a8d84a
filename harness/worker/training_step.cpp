#include "worker/training_step.h"

#include "worker/knob/amp.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <c10/core/InferenceMode.h>

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
    optimizer_ = make_optimizer(settings.optimizer_call, spec.workload, model.parameters());
    if (settings.autocast == StepSettings::Autocast::fp16) {
      scaler_.emplace();
    }
  }
}

void TrainingStep::fetch() {
  clock_.charge(&PhaseSums::other_ns);  // what the caller did since the last step
  batch_ = loader_.next();
  clock_.charge(&PhaseSums::data_wait_ns);
  input_ = model_input_.make(batch_.images);
  if (!input_.is_alias_of(batch_.images)) {
    batch_.images.reset();
    batch_.slot.reset();  // the loader can fill it again while we compute
  }
  clock_.charge(&PhaseSums::transfer_ns);
}

StepRecord TrainingStep::compute() {
  StepRecord record;
  record.samples = batch_.labels.size(0);
  record.begins_epoch = batch_.index == 0;
  ++steps_;
  if (optimizer_) {
    train();
  } else {
    infer();
  }
  host_work_.after_step(steps_, model_, losses_);
  clock_.charge(&PhaseSums::other_ns);
  record.phases = clock_.take();
  return record;
}

void TrainingStep::train() {
  at::Tensor loss;
  {
    const AutocastGuard autocast(settings_.autocast);
    loss = at::cross_entropy_loss(model_.forward(input_), batch_.labels);
  }
  clock_.charge(&PhaseSums::forward_ns);

  (scaler_ ? scaler_->scale(loss) : loss).backward();
  losses_.keep(steps_, loss.tensor_data());  // in every step, so without detach()'s operator call
  loss.reset();
  input_.reset();
  batch_ = Batch();
  clock_.charge(&PhaseSums::backward_ns);

  if (!scaler_ || scaler_->unscale(optimizer_->gradients())) {
    optimizer_->step();
  }
  optimizer_->zero_grad();
  clock_.charge(&PhaseSums::optimizer_ns);
}

void TrainingStep::infer() {
  const c10::InferenceMode no_autograd;
  at::Tensor scores;
  {
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
