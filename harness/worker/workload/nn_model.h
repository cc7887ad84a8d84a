#pragma once

#include "worker/recorder/range.h"
#include "worker/workload/model.h"

#include <utility>

namespace tune::worker {

/// Calls a module of a model by its registered name.
template <class Module>
at::Tensor call_module(const char* name, Module& module, const at::Tensor& x) {
  const ModuleRange range(name);
  return module->forward(x);
}

/// A torch::nn module (as its ModuleHolder) behind our interface. Only for files that include
/// torch/nn anyway.
template <class Net>
class NnModel final : public Model {
 public:
  NnModel(Net net, const trial::Workload& workload) : net_(std::move(net)) {
    net_->train(workload.task == "train");
  }

  at::Tensor forward(const at::Tensor& input) override { return net_->forward(input); }
  std::vector<at::Tensor> parameters() const override { return net_->parameters(); }
  std::vector<at::Tensor> buffers() const override { return net_->buffers(); }

 private:
  Net net_;
};

}  // namespace tune::worker
