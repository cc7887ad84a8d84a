#include "trial/workload_catalog.h"
#include "worker/failure.h"
#include "worker/workload/all_workloads.h"
#include "worker/workload/model.h"

#include <c10/util/Exception.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/jit_exception.h>
#include <torch/csrc/jit/serialization/import.h>

#include <filesystem>
#include <new>
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

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string last_line(std::string_view text) {
  text = text.substr(0, text.find_last_not_of('\n') + 1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

// An interpreter's error contains the path through the module's code; it ends with the operator's
// message.
std::string last_words(std::string_view text) {
  constexpr std::string_view kMark = "RuntimeError: ";
  constexpr std::string_view kInterpreter = "The following operation failed in the TorchScript";
  if (const auto mark = text.rfind(kMark); mark != std::string_view::npos) {
    return first_line(text.substr(mark + kMark.size()));
  }
  return text.starts_with(kInterpreter) ? last_line(text) : first_line(text);
}

// `raise ValueError("needs 3 channels")` has the class "builtins.ValueError".
std::string raised_words(const torch::jit::JITException& raised) {
  std::string name = raised.getPythonClassName().value_or("");
  name = name.substr(name.rfind('.') + 1);
  const std::string words = last_words(raised.getOriginalMsg().value_or(raised.what()));
  return words.empty() ? name : name.empty() ? words : name + ": " + words;
}

// The message of the current exception; rethrows it unchanged when it is an out-of-memory error.
std::string words_of_failure() {
  std::string words;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const torch::jit::JITException& raised) {
    words = raised_words(raised);
  } catch (const c10::Error& error) {
    words = last_words(error.what_without_backtrace());
  } catch (const std::exception& error) {
    words = last_words(error.what());
  }
  if (says_out_of_memory(words)) {
    throw std::runtime_error(words);
  }
  return words;
}

std::string to_text(at::IntArrayRef sizes) {
  std::ostringstream text;
  text << sizes;
  return text.str();
}

std::string shape_of(const at::Tensor& tensor) {
  return to_text(tensor.sizes());
}

// Its iterators are not standard iterators.
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
  } catch (const std::exception&) {
    refuse(name + " is not a TorchScript archive that LibTorch can read (" + words_of_failure() +
           ")");
  }
}

class TorchScriptModel final : public Model {
 public:
  TorchScriptModel(torch::jit::Module loaded, const trial::Workload& workload, std::string name)
      : module_(std::move(loaded)),
        forward_(module_.get_method("forward")),
        name_(std::move(name)),
        input_type_(workload.own.input_type),
        is_sequence_(workload.own.input.size() == 1),
        classes_(input_type_ == InputType::int64 ? trial::vocabulary(workload) : workload.classes),
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
    if (are_scores_of_sequences(result, labels)) {
      return loss_of(result, class_of_sequence(labels, result.size(1)));
    }
    if (!are_scores(result, labels)) {
      std::vector<std::int64_t> wanted = labels.sizes().vec();
      wanted.push_back(classes_);
      refuse(name_ + ": forward makes " + shape_of(result) + " of " + shape_of(input) +
             " (cross entropy needs scores, " + to_text(wanted) + ": workload.classes" +
             (labels.dim() > 1 ? ", or those of a whole sequence, [N, classes]" : "") +
             ") loss: mse?");
    }
    return loss_of(result, labels);
  }

  void backward(const at::Tensor& loss) override {
    try {
      loss.backward();
    } catch (const std::exception&) {
      refuse(name_ + ": backward fails (" + words_of_failure() + ")");
    }
  }

  std::vector<at::Tensor> parameters() const override { return tensors_.trained; }
  std::vector<at::Tensor> buffers() const override { return tensors_.kept; }

 private:
  using InputType = trial::OwnModel::InputType;

  bool are_scores(const at::Tensor& result, const at::Tensor& labels) const {
    const auto places = static_cast<std::size_t>(labels.dim());
    return result.dim() == labels.dim() + 1 && result.size(-1) >= classes_ &&
           result.sizes().slice(0, places) == labels.sizes();
  }

  // For a classifier of texts: a row of scores for a row of labelled tokens.
  static bool are_scores_of_sequences(const at::Tensor& result, const at::Tensor& labels) {
    return labels.dim() == 2 && result.dim() == 2 && result.size(0) == labels.size(0) &&
           result.size(1) > 1;
  }

  // Whole sequences have no labels. The token after the first is one that the model sees, so the
  // class can be learnt.
  static at::Tensor class_of_sequence(const at::Tensor& labels, std::int64_t classes) {
    return labels.select(1, 0).remainder(classes);
  }

  c10::IValue call(const at::Tensor& input) {
    try {
      return forward_({input});
    } catch (const std::exception&) {
      const std::string words = words_of_failure();
      refuse(name_ + ": forward fails on " + shape_of(input) + " (" + words + "; " + hint(words));
    }
  }

  // An embedding reports which number types it accepts.
  std::string hint(const std::string& words) const {
    if (input_type_ == InputType::int64) {
      return "workload.input says how long a sequence is, workload.classes how many tokens there "
             "are)";
    }
    const bool wants_tokens = is_sequence_ && words.find("Long, Int") != std::string::npos;
    return std::string("workload.input says what a sample is)") +
           (wants_tokens ? " input_type: int64?" : "");
  }

  torch::jit::Module module_;
  torch::jit::Method forward_;
  std::string name_;
  InputType input_type_;
  bool is_sequence_;
  std::int64_t classes_;  ///< or of tokens
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
    refuse(name + " has no method forward (a step calls it)");
  }
  const auto& arguments = method->function().getSchema().arguments();
  std::size_t needed = 0;
  for (const c10::Argument& argument : arguments) {
    needed += argument.default_value() ? 0 : 1;
  }
  if (arguments.size() < kSelfAndInput || needed > kSelfAndInput) {
    refuse(name + ": forward takes " + std::to_string(arguments.size() - 1) +
           " arguments (a step passes one, the samples)");
  }
  return std::make_unique<TorchScriptModel>(std::move(loaded), workload, std::move(name));
}

}  // namespace tune::worker
