#pragma once

#include "trial/trial_spec.h"
#include "worker/cuda/plugin.h"
#include "worker/rank/own_rank.h"
#include "worker/workload/model.h"

#include <memory>

namespace tune::worker {

/// Averages the gradients of processes that train together, as torch's DistributedDataParallel does
/// and by its own code (c10d::Reducer): in buckets of 25 MiB, while the backward pass continues. By
/// NCCL on GPUs, by gloo over the loopback on the CPU.
class GradientAverage {
 public:
  /// Connects to the others, and gives the model the parameters and buffers of rank 0. The model is
  /// on its device and outlives it. `gpu`: null on the CPU. Throws std::runtime_error with a
  /// sentence when there is no connection.
  GradientAverage(const trial::TrialSpec& spec, OwnRank& rank, const Model& model, CudaPlugin* gpu);
  ~GradientAverage();
  GradientAverage(const GradientAverage&) = delete;
  GradientAverage& operator=(const GradientAverage&) = delete;

  /// Before the first forward pass of a step: the model gets the buffers of rank 0.
  void share_buffers();

  /// Before the backward pass that completes the gradients of a step; passes without this call add
  /// to the gradients of their own rank alone.
  void expect_gradients();

  /// After any backward pass. After an expected one the gradients are the average of all ranks'.
  void end_backward();

  /// As TrainingStep::set_timer().
  void set_timer(DeviceTimer* timer);

  /// Since the last call, by the host's clock.
  ExposedCommunication take_exposed();

 private:
  class Group;
  std::unique_ptr<Group> group_;
};

}  // namespace tune::worker
