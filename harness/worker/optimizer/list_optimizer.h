#pragma once

#include "worker/optimizer/optimizer.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tune::worker {

/// An optimizer whose step is a few calls that take lists. The lists contain the parameters with a
/// gradient in this step: like torch.optim, it leaves the others alone and stores nothing for those
/// that no step has reached.
class ListOptimizer : public Optimizer {
 public:
  using Optimizer::Optimizer;

  void step() final { step_unless(std::nullopt); }

 protected:
  /// What a step changes, one entry per parameter in each list.
  struct Lists {
    std::vector<at::Tensor> parameters, gradients;
    std::vector<std::vector<at::Tensor>> state;  ///< each of the kinds that new_state() makes
    std::vector<std::int64_t> steps;             ///< that changed it, including this one
    /// If defined: nothing may change when it is not 0; the device checks that.
    std::optional<at::Tensor> found_inf;
  };

  /// The state of a parameter from its first step on.
  virtual std::vector<at::Tensor> new_state(const at::Tensor& parameter) const = 0;

  /// Called without autograd; needs at least one parameter.
  virtual void change(Lists& lists) = 0;

  /// A step. With `found_inf`, change() must check it.
  void step_unless(const std::optional<at::Tensor>& found_inf);

 private:
  void gather();

  std::vector<std::size_t> reached_;             // in this step: indices into parameters_
  std::vector<std::size_t> listed_;              // in lists_; gathered again when they differ
  std::vector<std::vector<at::Tensor>> states_;  // by place
  std::vector<std::int64_t> steps_;              // by index, for those that are not listed
  Lists lists_;
};

/// One operator for all parameters at a time, as Python's optimizers do with foreach=True.
std::unique_ptr<Optimizer> make_foreach_optimizer(const trial::Workload& workload,
                                                  std::vector<at::Tensor> parameters);

/// Operators that do a whole step, as with fused=True; they skip a step themselves.
std::unique_ptr<Optimizer> make_fused_optimizer(const trial::Workload& workload,
                                                std::vector<at::Tensor> parameters);

}  // namespace tune::worker
