#include "worker/knob/knob_effect.h"
#include "worker/workload/nn_model.h"

#include <ATen/ops/relu.h>
#include <torch/nn/modules/linear.h>

#include <string>
#include <vector>

namespace tune::worker {

std::unique_ptr<Model> make_mlp(const trial::Workload& workload, const ModelSettings& settings);

namespace {

// So narrow that calling operators costs more than their arithmetic: the opposite of ResNet-18.
constexpr int kLayers = 8;
constexpr std::int64_t kWidth = 64;

class MlpImpl : public torch::nn::Module {
 public:
  explicit MlpImpl(const trial::Workload& workload) {
    std::int64_t in = 3 * workload.image_size * workload.image_size;
    names_.reserve(kLayers);
    for (int i = 0; i < kLayers; ++i) {
      const std::int64_t out = i + 1 == kLayers ? workload.classes : kWidth;
      names_.push_back("layer" + std::to_string(i));
      layers_.push_back(register_module(names_.back(), torch::nn::Linear(in, out)));
      in = out;
    }
  }

  at::Tensor forward(const at::Tensor& images) {
    at::Tensor x = images.flatten(1);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      x = call_module(names_[i].c_str(), layers_[i], x);
      if (i + 1 < layers_.size()) {
        x = at::relu(x);
      }
    }
    return x;
  }

 private:
  std::vector<std::string> names_;
  std::vector<torch::nn::Linear> layers_;
};
TORCH_MODULE(Mlp);

}  // namespace

std::unique_ptr<Model> make_mlp(const trial::Workload& workload,
                                const ModelSettings& /*settings*/) {
  return std::make_unique<NnModel<Mlp>>(Mlp(workload), workload);
}

}  // namespace tune::worker
