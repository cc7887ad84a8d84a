#include "worker/training_step.h"

#include "base/clock.h"
#include "worker/knob/amp.h"
#include "worker/recorder/range.h"

#include <ATen/ops/add.h>
#include <ATen/ops/div.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace tune::worker {

using trial::PhaseSums;

namespace {

// Keeps the calling thread busy for this long: a slowdown that other work cannot overlap, as it
// could a sleep. Returns the actual time.
std::int64_t busy_wait_ns(std::int64_t duration_ns) {
  const std::int64_t start_ns = monotonic_ns();
  std::int64_t passed_ns = 0;
  while (passed_ns < duration_ns) {
    passed_ns = monotonic_ns() - start_ns;
  }
  return passed_ns;
}

c10::DeviceType device_of(const trial::TrialSpec& spec) {
  return spec.workload.on_gpu() ? c10::DeviceType::CUDA : c10::DeviceType::CPU;
}

}  // namespace

TrainingStep::TrainingStep(const trial::TrialSpec& spec,
                           const StepSettings& settings,
                           Model& model,
                           Loader& loader)
    : spec_(spec),
      settings_(settings),
      model_(model),
      loader_(loader),
      is_training_(spec.workload.task == "train"),
      host_work_(spec),
      model_input_(settings.layout) {
  if (spec.workload.on_gpu()) {
    device_input_.emplace(spec.knobs, loader);
  }
  if (is_training_) {
    const std::string optimizer = spec.workload.optimizer == "adamw" ? "AdamW" : "SGD";
    step_range_ = "Optimizer.step#" + optimizer + ".step";  // torch.profiler's names
    zero_grad_range_ = "Optimizer.zero_grad#" + optimizer + ".zero_grad";
    optimizer_ = make_optimizer(settings.optimizer_call, spec.workload, model.parameters());
    accumulation_ = spec.measure.loader_only ? 1 : settings.gradient_accumulation;
    if (settings.autocast == StepSettings::Autocast::fp16) {
      scaler_.emplace(c10::Device(device_of(spec)));
    }
  }
}

void TrainingStep::capture_on(GraphDevice& device) {
  if (is_training_ && !spec_.measure.loader_only) {
    graph_.emplace(device);
  }
}

void TrainingStep::set_timer(DeviceTimer* timer) {
  timer_ = timer;
  if (average_ != nullptr) {
    average_->set_timer(timer);
  }
}

std::int64_t TrainingStep::steps_per_epoch() const {
  return (loader_.batches_per_epoch() + accumulation_ - 1) / accumulation_;
}

bool TrainingStep::is_last_alike() const {
  const std::int64_t in_epoch = steps_per_epoch();
  const bool ends_epoch = in_epoch > 1 && index_in_epoch() == 0;
  return !ends_epoch && !was_left_out_;
}

std::int64_t TrainingStep::batches_of_next_step() const {
  return std::min(accumulation_, loader_.batches_per_epoch() - index_in_epoch() * accumulation_);
}

void TrainingStep::fetch() {
  clock_.charge(&PhaseSums::other_ns);  // the caller's work since the last step
  samples_ = 0;
  fetch_batch(InStep::first);
}

void TrainingStep::fetch_batch(InStep which) {
  if (device_input_ && !spec_.measure.loader_only) {
    fetch_to_device(which);
    samples_ += batch_.labels.size(0);
    return;
  }
  wait_for_batch();
  samples_ += batch_.labels.size(0);
  if (spec_.measure.loader_only) {
    return;
  }
  use_batch();
  clock_.charge(&PhaseSums::transfer_ns);
}

void TrainingStep::wait_for_batch() {
  {
    const Range wait("enumerate(DataLoader)#tune.__next__");  // as torch.profiler calls it
    batch_ = loader_.next();
  }
  batch_bytes_ = static_cast<std::int64_t>(batch_.images.nbytes() + batch_.labels.nbytes());
  clock_.charge(&PhaseSums::data_wait_ns);
}

void TrainingStep::use_batch() {
  const Range transfer("transfer");
  input_ = model_input_.make(batch_.images);
  if (!input_.is_alias_of(batch_.images)) {
    batch_.images.reset();
    batch_.slot.reset();  // the loader can fill it again while we compute
  }
}

// A batch that was not copied ahead is copied between the first two events, so that they time it.
// The device's wait for it before belongs to no phase.
void TrainingStep::fetch_to_device(InStep which) {
  device_input_->release();
  const bool is_there = device_input_->has_batch();
  if (!is_there) {
    device_input_->give_back();
    clock_.charge(&PhaseSums::transfer_ns);
    wait_for_batch();
  }
  if (which == InStep::later) {
    end_phase(DevicePhase::idle);
  } else if (timer_ != nullptr) {
    timer_->begin_step();
  }
  if (!is_there) {
    const Range transfer("transfer");
    device_input_->copy(std::move(batch_));
  }
  batch_ = device_input_->take();
  use_batch();
  end_phase(DevicePhase::transfer);
  clock_.charge(&PhaseSums::transfer_ns);
}

// Called when a step has been launched completely: the device computes while the host waits for the
// next batch.
void TrainingStep::copy_ahead() {
  while (device_input_->has_room()) {
    device_input_->give_back();
    clock_.charge(&PhaseSums::transfer_ns);
    wait_for_batch();
    {
      const Range transfer("transfer");
      device_input_->copy(std::move(batch_));
    }
    batch_ = Batch();
    clock_.charge(&PhaseSums::transfer_ns);
  }
}

StepRecord TrainingStep::compute() {
  StepRecord record;
  record.begins_epoch = index_in_epoch() == 0;  // in whatever order batches come
  const std::int64_t batches = batches_of_next_step();
  ++steps_;
  was_left_out_ = false;
  if (spec_.measure.loader_only) {
    batch_ = Batch();  // the loader can fill it again
  } else {
    work(batches);
  }
  record.samples = samples_;
  clock_.charge(&PhaseSums::other_ns);
  if (spec_.measure.delay_ratio > 0) {
    record.delay_ns = delay();
  }
  record.phases = clock_.take();
  return record;
}

void TrainingStep::rehearse(std::int64_t samples) {
  const at::Tensor input = input_.narrow(0, 0, samples);
  if (is_training_) {
    const at::Tensor loss = loss_of_batch(input, batch_.labels.narrow(0, 0, samples));
    model_.backward(scaler_ ? scaler_->scale(loss) : loss);
    optimizer_->zero_grad();
  } else {
    const c10::InferenceMode no_autograd;
    const AutocastGuard autocast(settings_.autocast, device_of(spec_));
    model_.forward(input);
  }
  clock_.charge(&PhaseSums::other_ns);
}

void TrainingStep::work(std::int64_t batches) {
  if (graph_) {
    train_with_graph();
  } else if (is_training_) {
    train(batches);
  } else {
    infer();
  }
  if (device_input_) {
    clock_.charge(&PhaseSums::other_ns);
    copy_ahead();
  }
  host_work_.after_step(steps_, model_, losses_);
}

// On this thread, on which everything else depends.
std::int64_t TrainingStep::delay() {
  const std::int64_t own_ns = clock_.passed_ns();
  busy_wait_ns(std::llround(static_cast<double>(own_ns) * spec_.measure.delay_ratio));
  clock_.charge(&PhaseSums::other_ns);
  return clock_.passed_ns() - own_ns;
}

void TrainingStep::train(std::int64_t batches) {
  for (std::int64_t i = 0; i < batches; ++i) {
    if (i > 0) {
      if (device_input_) {
        copy_ahead();  // while the device computes what was launched
      }
      fetch_batch(InStep::later);
    }
    if (average_ != nullptr && i == 0) {
      average_->share_buffers();
    }
    at::Tensor loss = go_forward(batches);
    if (average_ != nullptr && i + 1 == batches) {
      average_->expect_gradients();
    }
    go_backward(std::move(loss), batches);
  }
  if (batches > 1) {
    losses_.keep(steps_, std::exchange(mean_loss_, at::Tensor()));
  }
  if (steps_ == 1) {
    expect_gradients();
  }
  optimize();
  end_phase(DevicePhase::optimizer);
  clock_.charge(&PhaseSums::optimizer_ns);
}

at::Tensor TrainingStep::loss_of_batch(const at::Tensor& input, const at::Tensor& labels) {
  const AutocastGuard autocast(settings_.autocast, device_of(spec_));
  return model_.loss(input, labels);
}

// A step of one batch: with several, cuda_graphs is not applicable.
void TrainingStep::train_with_graph() {
  const auto fill = [this] {
    captured_input_.fill(input_, batch_.labels, /*stays=*/!batch_.images.defined());
    end_phase(DevicePhase::transfer);
    clock_.charge(&PhaseSums::transfer_ns);
  };
  StepGraph::Shape shape = input_.sizes().vec();
  shape.insert(shape.end(), batch_.labels.sizes().begin(), batch_.labels.sizes().end());
  if (!graph_->run(shape, {[this] { train(1); }, fill, [this] { train_captured(); }})) {
    return;
  }
  end_phase(DevicePhase::graph);
  losses_.keep_overwritten(steps_, captured_loss_);
  input_.reset();
  batch_ = Batch();
  clock_.charge(&PhaseSums::other_ns);
}

// While a replay runs nothing of this is called: the clock and the timer are not for its parts.
void TrainingStep::train_captured() {
  const at::Tensor loss = loss_of_batch(captured_input_.input(), captured_input_.labels());
  model_.backward(scaler_ ? scaler_->scale(loss) : loss);
  captured_loss_ = loss.tensor_data();
  optimize();
}

// The batch's share of the step's loss.
at::Tensor TrainingStep::go_forward(std::int64_t batches) {
  at::Tensor loss;
  {
    const Range forward("forward");
    loss = loss_of_batch(input_, batch_.labels);
    if (batches > 1) {
      loss = at::div(loss, batches);
    }
  }
  end_phase(DevicePhase::forward);
  clock_.charge(&PhaseSums::forward_ns);
  return loss;
}

void TrainingStep::go_backward(at::Tensor loss, std::int64_t batches) {
  {
    const Range backward("backward");
    model_.backward(scaler_ ? scaler_->scale(loss) : loss);
    if (average_ != nullptr) {
      average_->end_backward();
    }
    keep_loss(loss, batches);
    loss.reset();
    input_.reset();
    batch_ = Batch();
  }
  end_phase(DevicePhase::backward);
  clock_.charge(&PhaseSums::backward_ns);
}

// In every step, so without detach()'s operator call.
void TrainingStep::keep_loss(const at::Tensor& loss, std::int64_t batches) {
  if (batches == 1) {
    losses_.keep(steps_, loss.tensor_data());
  } else {
    mean_loss_ =
        mean_loss_.defined() ? at::add(mean_loss_, loss.tensor_data()) : loss.tensor_data();
  }
}

// A user's model may have parameters that its loss does not reach, or not in every step; a loss
// that reaches none is an error.
void TrainingStep::expect_gradients() const {
  if (optimizer_->gradients().empty()) {
    throw std::runtime_error("the loss of " + spec_.workload.model +
                             " reaches none of its parameters (no gradient came back)");
  }
}

void TrainingStep::optimize() {
  {
    const Range step(step_range_);
    if (!scaler_) {
      optimizer_->step();
    } else if (!optimizer_->step_if_finite(scaler_->unscale(optimizer_->gradients()))) {
      was_left_out_ = true;
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
    const AutocastGuard autocast(settings_.autocast, device_of(spec_));
    scores = model_.forward(input_);
  }
  input_.reset();
  end_phase(DevicePhase::forward);
  clock_.charge(&PhaseSums::forward_ns);
  // Inference needs no loss; here it shows whether a knob has changed the results. Data taken from
  // a device slot is overwritten by a later batch.
  losses_.keep_scores(
      steps_, std::move(scores), device_input_ ? batch_.labels.clone() : batch_.labels);
  batch_ = Batch();
}

}  // namespace tune::worker
