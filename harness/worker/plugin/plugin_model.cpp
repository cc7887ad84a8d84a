#include "worker/plugin/plugin_model.h"

#include "worker/plugin/guarded_call.h"
#include "worker/workload/trained_tensors.h"

#include <sstream>
#include <stdexcept>
#include <utility>

namespace tune::worker {

namespace {

std::string description(const at::Tensor& tensor) {
  if (!tensor.defined()) {
    return "a tensor that is not defined";
  }
  std::ostringstream text;
  text << "a tensor of " << tensor.sizes()
       << (tensor.requires_grad() ? "" : " that requires no gradient");
  return text.str();
}

class PluginModel final : public Model {
 public:
  PluginModel(plugin::Workload& workload, const std::string& name, bool is_trained)
      : workload_(workload), name_(name) {
    tensors_ = split_tensors(guarded(name_, "parameters()", [&] { return workload_.parameters(); }),
                             guarded(name_, "buffers()", [&] { return workload_.buffers(); }));
    if (is_trained && tensors_.trained.empty()) {
      throw std::invalid_argument("workload.plugin: " + name_ +
                                  " has nothing to train (none of its parameters() requires a "
                                  "gradient) task: infer?");
    }
    for (const at::Tensor& tensor : tensors_.trained) {
      if (is_trained && !tensor.is_leaf()) {
        throw std::invalid_argument("workload.plugin: " + name_ + ": parameters() holds " +
                                    description(tensor) +
                                    " that an operator made (only a leaf is trained) detach()?");
      }
    }
  }

  at::Tensor forward(const at::Tensor& input) override {
    at::Tensor result = step({input, {}});
    if (!result.defined()) {
      throw std::invalid_argument(name_ + ": step() returns " + description(result) +
                                  " (task infer needs the result, any tensor)");
    }
    return result;
  }

  at::Tensor loss(const at::Tensor& input, const at::Tensor& labels) override {
    at::Tensor result = step({input, labels});
    if (!result.defined() || result.numel() != 1 || !result.requires_grad()) {
      throw std::invalid_argument(name_ + ": step() returns " + description(result) +
                                  " (task train needs the loss, one number that requires a "
                                  "gradient)");
    }
    return result;
  }

  void backward(const at::Tensor& loss) override {
    guarded(name_, "backward", [&] { loss.backward(); });
  }

  std::vector<at::Tensor> parameters() const override { return tensors_.trained; }
  std::vector<at::Tensor> buffers() const override { return tensors_.kept; }

 private:
  at::Tensor step(const plugin::Batch& batch) {
    return guarded(name_, "step()", [&] { return workload_.step(batch); });
  }

  plugin::Workload& workload_;
  std::string name_;
  TrainedTensors tensors_;
};

}  // namespace

std::unique_ptr<Model> make_plugin_model(plugin::Workload& workload,
                                         const std::string& name,
                                         bool is_trained) {
  return std::make_unique<PluginModel>(workload, name, is_trained);
}

}  // namespace tune::worker
