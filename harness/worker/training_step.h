#pragma once

#include "trial/trial_spec.h"
#include "worker/cuda/plugin.h"
#include "worker/data/loader.h"
#include "worker/device_input.h"
#include "worker/host_work.h"
#include "worker/knob/knob_effect.h"
#include "worker/loss_record.h"
#include "worker/measured_window.h"
#include "worker/model_input.h"
#include "worker/optimizer/loss_scaler.h"
#include "worker/optimizer/optimizer.h"
#include "worker/step_clock.h"
#include "worker/workload/model.h"

#include <memory>
#include <optional>
#include <string>

namespace tune::worker {

/// One step of training or inference, again and again, each part of it on the clock.
class TrainingStep {
 public:
  /// Model and loader must outlive it. Where the spec's device is a GPU, the model lies on it.
  TrainingStep(const trial::TrialSpec& spec,
               const StepSettings& settings,
               Model& model,
               Loader& loader);

  /// Waits for the next batch and turns it into the model's input.
  void fetch();

  /// What follows fetch(). With Measure::loader_only the batch is dropped, nothing is computed.
  StepRecord compute();

  /// Puts the events of `timer` between the phases of the steps from the next one on; null: no
  /// more. The timer must outlive that.
  void set_timer(DeviceTimer* timer) { timer_ = timer; }

  StepClock& clock() { return clock_; }
  const LossRecord& losses() const { return losses_; }
  std::int64_t steps() const { return steps_; }

  /// Of the tensors that the loader gave for the last fetch().
  std::int64_t batch_bytes() const { return batch_bytes_; }

 private:
  void wait_for_batch();
  void use_batch();
  void fetch_to_device();
  void copy_ahead();
  void work();
  void end_phase(DevicePhase phase) {
    if (timer_ != nullptr) {
      timer_->end_phase(phase);
    }
  }
  void train();
  void optimize();
  void infer();
  std::int64_t delay();

  const trial::TrialSpec& spec_;
  StepSettings settings_;
  Model& model_;
  Loader& loader_;
  std::unique_ptr<Optimizer> optimizer_;  ///< null when nothing is trained
  std::optional<LossScaler> scaler_;
  std::string step_range_, zero_grad_range_;
  HostWork host_work_;
  LossRecord losses_;
  StepClock clock_;
  std::int64_t steps_ = 0;
  std::int64_t batch_bytes_ = 0;
  Batch batch_;
  ModelInput model_input_;
  std::optional<DeviceInput> device_input_;  ///< nothing on the CPU
  DeviceTimer* timer_ = nullptr;
  at::Tensor input_;  ///< of batch_
};

}  // namespace tune::worker
