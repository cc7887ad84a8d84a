// A plug-in whose step does nothing: only the boundary remains.

#include "worker/plugin/workload.h"

#include <ATen/ops/zeros.h>

namespace {

class EmptyModel : public tune::plugin::Workload {
 public:
  explicit EmptyModel(const tune::plugin::Setup& /*setup*/) : loss_(at::zeros({1})) {
    loss_.set_requires_grad(true);
  }

  std::vector<at::Tensor> parameters() override { return {loss_}; }
  at::Tensor step(const tune::plugin::Batch& /*batch*/) override { return loss_; }

 private:
  at::Tensor loss_;
};

}  // namespace

TUNE_PLUGIN(EmptyModel)
