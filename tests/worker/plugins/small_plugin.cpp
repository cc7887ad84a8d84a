// A model with one hidden layer that implements the contract, or breaks it as its params say.

#include "worker/plugin/workload.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using tune::plugin::Batch;
using tune::plugin::DataSource;
using tune::plugin::get;
using tune::plugin::get_or;
using tune::plugin::Knob;
using tune::plugin::Setup;

// Sequences of twelve numbers at a time, of another length in every batch.
class Sequences : public DataSource {
 public:
  Sequences(std::int64_t samples, std::int64_t batch_size, bool is_broken)
      : samples_(samples), batch_size_(batch_size), is_broken_(is_broken) {}

  std::int64_t samples() override { return samples_; }

  Batch batch(std::int64_t epoch, std::int64_t index) override {
    const std::int64_t count = std::min(batch_size_, samples_ - index * batch_size_);
    Batch batch;
    batch.input = at::randn({is_broken_ ? count + 1 : count, 12, 4 + (epoch + index) % 3});
    batch.labels = at::zeros({count}, at::kLong);
    return batch;
  }

 private:
  std::int64_t samples_, batch_size_;
  bool is_broken_;
};

// A custom function without a backward pass.
struct OneWay : torch::autograd::Function<OneWay> {
  static at::Tensor forward(torch::autograd::AutogradContext* /*context*/, const at::Tensor& x) {
    return x.clone();
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* /*context*/,
                                                 const torch::autograd::variable_list& /*from*/) {
    throw std::runtime_error("no way back");
  }
};

class SmallModel : public tune::plugin::Workload {
 public:
  explicit SmallModel(const Setup& setup)
      : setup_(setup),
        mode_(get_or<std::string>(setup.params, "mode", "")),
        at_step_(get_or<std::int64_t>(setup.params, "at_step", 1)) {
    if (mode_ == "throw-in-constructor") {
      throw std::runtime_error("depth must be above 0");
    }
    if (mode_ == "missing-param") {
      (void)get<double>(setup.params, "dropout");
    }
    const auto width = get<std::int64_t>(setup.knobs, "width");
    std::int64_t in = 12;
    if (get_or<std::int64_t>(setup.params, "samples", 0) == 0) {
      in = 1;
      for (const std::int64_t size : setup.input) {
        in *= size;
      }
    }
    hidden_ = trained({width, in});
    if (mode_ == "no-leaf") {
      hidden_ = hidden_.mul(2);
    }
    out_ = trained({setup.classes, width});
    spare_ = trained({3});
  }

  static std::vector<Knob> knobs() {
    return {Knob::whole("width", 16, 1, 4096, "of the hidden layer"),
            Knob::choice("activation", {"relu", "gelu"}, "of the hidden layer"),
            Knob::flag("doubled", false, "the loss counts twice")};
  }

  std::vector<at::Tensor> parameters() override {
    if (mode_ == "no-parameters") {
      return {};
    }
    return {hidden_, out_, spare_};
  }

  at::Tensor step(const Batch& batch) override {
    if (++steps_ == at_step_) {
      misbehave();
    }
    const bool is_sequence = batch.input.dim() == 3;
    const at::Tensor numbers = is_sequence ? batch.input.select(2, 0) : batch.input.flatten(1);
    const at::Tensor x = mode_ == "tokens" ? of_tokens(batch) : numbers;
    at::Tensor h = at::linear(x, hidden_);
    h = get<std::string>(setup_.knobs, "activation") == "gelu" ? at::gelu(h) : at::relu(h);
    const at::Tensor scores = at::linear(h, out_);
    if (setup_.task == "infer" || mode_ == "vector") {
      return scores;
    }
    at::Tensor loss = at::cross_entropy_loss(
        scores, mode_ == "tokens" ? batch.labels.select(1, 0) : batch.labels);
    if (mode_ == "throw-in-backward" && steps_ == at_step_) {
      loss = OneWay::apply(loss);
    }
    return get<bool>(setup_.knobs, "doubled") ? loss.mul(2) : loss;
  }

  std::unique_ptr<DataSource> data_source() override {
    const auto samples = get_or<std::int64_t>(setup_.params, "samples", 0);
    return samples == 0
               ? nullptr
               : std::make_unique<Sequences>(samples, setup_.batch_size, mode_ == "broken-batch");
  }

 private:
  static at::Tensor trained(const std::vector<std::int64_t>& shape) {
    at::Tensor tensor = at::randn(shape).mul_(0.05);
    tensor.set_requires_grad(true);
    return tensor;
  }

  // Whole numbers below `classes`, each labelled by the next one.
  at::Tensor of_tokens(const Batch& batch) const {
    const bool are_tokens = batch.input.scalar_type() == at::kLong &&
                            batch.input.sizes() == batch.labels.sizes() &&
                            batch.input.select(1, 1).equal(batch.labels.select(1, 0)) &&
                            batch.input.max().item<std::int64_t>() < setup_.classes;
    if (!are_tokens) {
      throw std::runtime_error("these are not tokens");
    }
    return batch.input.to(at::kFloat);
  }

  void misbehave() {
    if (mode_ == "throw") {
      throw std::runtime_error("boom");
    }
    if (mode_ == "throw-int") {
      throw 42;
    }
    if (mode_ == "crash") {
      (void)std::raise(SIGSEGV);
    }
    if (mode_ == "exit") {
      _exit(0);
    }
    if (mode_ == "hang") {
      for (;;) {
        pause();
      }
    }
    if (mode_ == "leak") {
      leak();
    }
  }

  // A model that leaks memory in every step, fast.
  static void leak() {
    constexpr std::size_t kBlock = std::size_t{64} << 20;
    // Volatile, else the compiler would remove it.
    [[maybe_unused]] static char* volatile last = nullptr;
    for (;;) {
      last = new char[kBlock];
    }
  }

  Setup setup_;
  std::string mode_;
  std::int64_t at_step_, steps_ = 0;
  at::Tensor hidden_, out_, spare_;  // the loss does not reach the last one
};

}  // namespace

TUNE_PLUGIN(SmallModel)
