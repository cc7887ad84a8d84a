#include "worker/workload/checkpoint.h"

#include "base/assert.h"
#include "worker/knob/amp.h"
#include "worker/recorder/range.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/Generator.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <mutex>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

using Autocast = StepSettings::Autocast;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// A block is called only with its input, so there is no other way to tell its modules.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
thread_local bool recomputing = false;

class Recomputing {
 public:
  Recomputing() : was_(std::exchange(recomputing, true)) {}
  ~Recomputing() { recomputing = was_; }
  Recomputing(const Recomputing&) = delete;
  Recomputing& operator=(const Recomputing&) = delete;

 private:
  bool was_;
};

/// The state of the generators that operators use: dropout on a GPU draws on the GPU.
class RandomState {
 public:
  explicit RandomState(c10::Device device) {
    keep(at::detail::getDefaultCPUGenerator());
    if (!device.is_cpu()) {
      keep(at::globalContext().defaultGenerator(device));
    }
  }

  void restore() const {
    for (const Part& part : parts_) {
      at::Generator generator = part.generator;  // a handle
      const std::lock_guard<std::mutex> hold(generator.mutex());
      generator.set_state(part.state);
    }
  }

 private:
  struct Part {
    at::Generator generator;
    at::Tensor state;
  };

  void keep(at::Generator generator) {
    const std::lock_guard<std::mutex> hold(generator.mutex());
    at::Tensor state = generator.get_state();
    parts_.push_back({generator, std::move(state)});
  }

  std::vector<Part> parts_;
};

Autocast autocast_now(c10::DeviceType device) {
  if (!at::autocast::is_autocast_enabled(device)) {
    return Autocast::none;
  }
  return at::autocast::get_autocast_dtype(device) == at::kBFloat16 ? Autocast::bf16
                                                                   : Autocast::fp16;
}

/// What the backward pass needs besides the input.
struct Kept final : torch::CustomClassHolder {
  Kept(Block kept_block, const at::Tensor& input)
      : block(std::move(kept_block)),
        random(input.device()),
        autocast(autocast_now(input.device().type())) {}

  Block block;
  RandomState random;
  Autocast autocast;
};

at::Tensor compute_again(const Kept& kept, const at::Tensor& input) {
  const at::AutoGradMode records(true);
  const Range range("recompute");
  const Recomputing now;
  const RandomState present(input.device());
  kept.random.restore();
  at::Tensor output;
  {
    const AutocastGuard autocast(kept.autocast, input.device().type());
    output = kept.block(input);
  }
  present.restore();  // later draws must not notice the recomputation
  return output;
}

struct Checkpoint final : torch::autograd::Function<Checkpoint> {
  // Called without autograd, so that the block saves nothing.
  static at::Tensor forward(AutogradContext* context, const Block& block, const at::Tensor& input) {
    const auto kept = c10::make_intrusive<Kept>(block, input);
    context->save_for_backward({input});
    context->saved_data["kept"] = c10::IValue::make_capsule(kept);
    return kept->block(input);
  }

  // One gradient for each argument of forward().
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto kept =
        c10::static_intrusive_pointer_cast<Kept>(context->saved_data["kept"].toCapsule());
    const at::Tensor input = context->get_saved_variables().front().detach();
    input.requires_grad_(true);
    const at::Tensor output = compute_again(*kept, input);
    torch::autograd::backward({output}, {gradients.front()});
    return {at::Tensor(), input.grad()};
  }
};

}  // namespace

at::Tensor checkpoint(const Block& block, const at::Tensor& input) {
  TUNE_ASSERT(input.requires_grad() || !at::GradMode::is_enabled());
  return Checkpoint::apply(block, input);
}

bool is_recomputing() {
  return recomputing;
}

}  // namespace tune::worker
