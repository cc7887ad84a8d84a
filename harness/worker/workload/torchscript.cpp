#include "worker/workload/torchscript.h"

#include "worker/out_of_memory.h"
#include "worker/workload/trained_tensors.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw std::invalid_argument("workload.torchscript: " + problem);
}

// An interpreter's error holds the way through the module's code; its last words are the
// operator's.
std::string last_words(std::string_view text) {
  constexpr std::string_view kMark = "RuntimeError: ";
  if (const auto mark = text.rfind(kMark); mark != std::string_view::npos) {
    text.remove_prefix(mark + kMark.size());
  }
  return std::string(text.substr(0, text.find('\n')));
}

std::string shape_of(const at::Tensor& tensor) {
  std::ostringstream text;
  text << tensor.sizes();
  return text.str();
}

// Its iterators are none of the standard library's.
template <class Slots>
std::vector<at::Tensor> list(const Slots& slots) {
  std::vector<at::Tensor> tensors;
  for (const at::Tensor& tensor : slots) {
    tensors.push_back(tensor);
  }
  return tensors;
}

torch::jit::Module load(const trial::Workload& workload, const std::string& name) {
  const c10::Device device(workload.on_gpu() ? c10::DeviceType::CUDA : c10::DeviceType::CPU);
  try {
    return torch::jit::load(workload.own.path, device);
  } catch (const std::exception& error) {
    const std::string words = last_words(error.what());
    if (says_out_of_memory(words)) {
      throw;
    }
    refuse(name + " is no TorchScript archive that LibTorch can read (" + words + ")");
  }
}

class TorchScriptModel final : public Model {
 public:
  TorchScriptModel(torch::jit::Module loaded, const trial::Workload& workload, std::string name)
      : module_(std::move(loaded)),
        forward_(module_.get_method("forward")),
        name_(std::move(name)),
        classes_(workload.classes),
        has_scores_(workload.own.loss == "cross-entropy") {
    const bool is_trained = workload.task == "train";
    module_.train(is_trained);
    tensors_ = split_tensors(list(module_.parameters()), list(module_.buffers()));
    if (is_trained && tensors_.trained.empty()) {
      refuse(name_ +
             " has nothing to train (none of its parameters requires a gradient) task: infer?");
    }
  }

  at::Tensor forward(const at::Tensor& input) override {
    c10::IValue result = call(input);
    if (!result.isTensor()) {
      refuse(name_ + ": forward returns a " + result.tagKind() +
             " (one tensor is wanted; wrap the module in one that picks it)");
    }
    return std::move(result).toTensor();
  }

  at::Tensor loss(const at::Tensor& input, const at::Tensor& labels) override {
    const at::Tensor result = forward(input);
    if (!has_scores_) {
      return result.square().mean();
    }
    const bool fits =
        result.dim() == 2 && result.size(0) == labels.size(0) && result.size(1) >= classes_;
    if (!fits) {
      refuse(name_ + ": forward makes " + shape_of(result) + " of " + shape_of(input) +
             " (cross entropy needs scores, [" + std::to_string(labels.size(0)) + ", " +
             std::to_string(classes_) + "]: workload.classes) loss: mse?");
    }
    return at::cross_entropy_loss(result, labels);
  }

  std::vector<at::Tensor> parameters() const override { return tensors_.trained; }
  std::vector<at::Tensor> buffers() const override { return tensors_.kept; }

 private:
  c10::IValue call(const at::Tensor& input) {
    try {
      return forward_({input});
    } catch (const std::exception& error) {
      const std::string words = last_words(error.what());
      if (says_out_of_memory(words)) {
        throw std::runtime_error(words);
      }
      refuse(name_ + ": forward fails on " + shape_of(input) + " (" + words +
             "; workload.input says what a sample is)");
    }
  }

  torch::jit::Module module_;
  torch::jit::Method forward_;
  std::string name_;
  std::int64_t classes_;
  bool has_scores_;
  TrainedTensors tensors_;
};

}  // namespace

std::unique_ptr<Model> make_torchscript(const trial::Workload& workload) {
  std::string name = std::filesystem::path(workload.own.path).filename().string();
  torch::jit::Module loaded = load(workload, name);
  const auto method = loaded.find_method("forward");
  constexpr std::size_t kSelfAndInput = 2;
  if (!method) {
    refuse(name + " has no method forward (it is what a step calls)");
  }
  const auto& arguments = method->function().getSchema().arguments();
  std::size_t needed = 0;
  for (const c10::Argument& argument : arguments) {
    needed += argument.default_value() ? 0 : 1;
  }
  if (arguments.size() < kSelfAndInput || needed > kSelfAndInput) {
    refuse(name + ": forward takes " + std::to_string(arguments.size() - 1) +
           " arguments (a step gives it one, the samples)");
  }
  return std::make_unique<TorchScriptModel>(std::move(loaded), workload, std::move(name));
}

}  // namespace tune::worker
