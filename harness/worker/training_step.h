#pragma once

#include "base/clock.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/cuda/plugin.h"
#include "worker/data/loader.h"
#include "worker/host_work.h"
#include "worker/knob/knob_effect.h"
#include "worker/measured_window.h"
#include "worker/optimizer/optimizer.h"
#include "worker/rank/gradient_average.h"
#include "worker/step_graph.h"
#include "worker/step_input.h"
#include "worker/workload/model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tune::worker {

/// Cuts time into parts without gaps: each edge ends one part and begins the next, so that the
/// parts of a step sum exactly to the step, and consecutive steps to their total time.
class StepClock {
 public:
  using Part = std::int64_t trial::PhaseSums::*;

  /// Discards the past; returns the current time.
  std::int64_t restart() {
    sums_ = {};
    return last_ns_ = monotonic_ns();
  }

  /// The time since the last edge belongs to `part`.
  void charge(Part part) {
    const std::int64_t now_ns = monotonic_ns();
    sums_.*part += now_ns - last_ns_;
    last_ns_ = now_ns;
  }

  /// The sum of the parts since the last take or restart.
  std::int64_t passed_ns() const { return sums_.total_ns(); }

  /// The parts since the last take or restart.
  trial::PhaseSums take() { return std::exchange(sums_, {}); }

 private:
  std::int64_t last_ns_ = monotonic_ns();
  trial::PhaseSums sums_;
};

/// Runs steps of training or inference and times each part.
///
/// A training step is one optimizer step. With the knob gradient_accumulation it takes several
/// batches, runs forward and backward for each, and accumulates their gradients; the last step of
/// an epoch takes the remaining batches, so that no step spans two epochs. Its loss, also for the
/// backward pass, is the mean over its batches.
class TrainingStep {
 public:
  /// Model and loader must outlive it. If the spec's device is a GPU, the model is on it.
  TrainingStep(const trial::TrialSpec& spec,
               const StepSettings& settings,
               Model& model,
               Loader& loader);

  /// Waits for the next batch, the first of a step, and converts it to the model's input.
  void fetch();

  /// After fetch(): goes forward and backward with the first samples of the batch, so many, and
  /// forgets their gradients. Libraries that choose algorithms by size then know that size.
  void rehearse(std::int64_t samples);

  /// The rest of the step after fetch(). With Measure::loader_only the batch is dropped and nothing
  /// is computed.
  StepRecord compute();

  /// Puts the events of `timer` between the phases, from the next step on; null: stops that. The
  /// timer must outlive its use.
  void set_timer(DeviceTimer* timer);

  /// The gradients are averaged with those of other processes. It must outlive its use.
  void set_average(GradientAverage* average) { average_ = average; }

  /// From the first step on, training steps are captured and replayed there. The device must
  /// outlive this.
  void capture_on(GraphDevice& device);

  /// Whether a step of the usual shape has still to be captured.
  bool awaits_capture() const { return graph_ && graph_->is_warming_up(); }

  StepClock& clock() { return clock_; }
  const LossRecord& losses() const { return losses_; }
  std::int64_t steps() const { return steps_; }

  std::int64_t steps_per_epoch() const;

  /// The index of the next step in its epoch.
  std::int64_t index_in_epoch() const { return steps_ % steps_per_epoch(); }

  /// Whether the last step did the same work as others: it was not the end of an epoch, which may
  /// have fewer or smaller batches, and its optimizer was not skipped because of gradients that are
  /// not finite.
  bool is_last_alike() const;

  /// Bytes of the tensors that the loader delivered for the last batch.
  std::int64_t batch_bytes() const { return batch_bytes_; }

 private:
  enum class InStep { first, later };

  std::int64_t batches_of_next_step() const;
  void fetch_batch(InStep which);
  void wait_for_batch();
  void use_batch();
  void fetch_to_device(InStep which);
  void copy_ahead();
  void work(std::int64_t batches);
  void end_phase(DevicePhase phase) {
    if (timer_ != nullptr) {
      timer_->end_phase(phase);
    }
  }
  void train(std::int64_t batches);
  void train_with_graph();
  void train_captured();
  at::Tensor loss_of_batch(const at::Tensor& input, const at::Tensor& labels);
  at::Tensor go_forward(std::int64_t batches);
  void go_backward(at::Tensor loss, std::int64_t batches);
  void keep_loss(const at::Tensor& loss, std::int64_t batches);
  void expect_gradients() const;
  void optimize();
  void infer();
  std::int64_t delay();

  const trial::TrialSpec& spec_;
  StepSettings settings_;
  Model& model_;
  Loader& loader_;
  bool is_training_;
  std::unique_ptr<Optimizer> optimizer_;  ///< null when nothing is trained
  std::optional<LossScaler> scaler_;
  std::string step_range_, zero_grad_range_;
  HostWork host_work_;
  LossRecord losses_;
  StepClock clock_;
  std::int64_t accumulation_ = 1;  ///< batches of a step, at most
  std::int64_t steps_ = 0;
  std::int64_t samples_ = 0;  ///< of the step so far
  std::int64_t batch_bytes_ = 0;
  bool was_left_out_ = false;  ///< the optimizer was skipped in the last step
  Batch batch_;
  ModelInput model_input_;
  std::optional<DeviceInput> device_input_;  ///< nothing on the CPU
  DeviceTimer* timer_ = nullptr;
  std::optional<StepGraph> graph_;
  CapturedInput captured_input_;
  at::Tensor captured_loss_;  ///< each replay overwrites it
  GradientAverage* average_ = nullptr;
  at::Tensor input_;      ///< of batch_
  at::Tensor mean_loss_;  ///< of the step's batches so far, when it has several
};

}  // namespace tune::worker
