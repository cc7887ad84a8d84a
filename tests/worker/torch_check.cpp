// torch_check <check>: parts of the worker that work differently on a GPU, as far as they can be
// checked without one. A separate program, because LibTorch and GoogleTest are never linked
// together. Exits 0, or prints what is wrong and exits 1.

#include "torch_check_replay.h"
#include "trial/knob_catalog.h"
#include "worker/knob/amp.h"
#include "worker/knob/knob_effect.h"
#include "worker/optimizer/optimizer.h"
#include "worker/structure_count.h"

#include <ATen/Context.h>
#include <ATen/ThreadLocalState.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/record_function.h>

#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

namespace tune::worker {

KnobEffect tf32_knob();

namespace {

void expect(bool holds, const std::string& what) {
  if (!holds) {
    throw std::runtime_error(what);
  }
}

/// Imitates the backward pass of a GPU: nodes on a thread to which LibTorch carries the state of
/// the waiting thread.
void on_a_thread_of_autograd(const std::function<void()>& work) {
  const at::ThreadLocalState state;
  std::thread([&] {
    const at::ThreadLocalStateGuard guard(state);
    work();
  }).join();
}

void structure_counts_threads_of_the_backward_pass() {
  const at::Tensor tensor = at::ones({64, 64});
  const auto node = [&] {
    at::RecordFunction row(at::RecordScope::BACKWARD_FUNCTION);
    if (row.isActive()) {
      row.before("MmBackward0");
    }
    (void)at::mm(tensor, tensor);
  };
  node();  // the first product does one-time set-up
  const trial::Structure here = count_structure(node);
  const trial::Structure there = count_structure([&] { on_a_thread_of_autograd(node); });
  expect(here.backward_operators == 1 && here.operators > 0 && here.allocations > 0,
         "nothing is counted");
  expect(there == here, "a thread of autograd counts differently");
  const trial::Structure nobody = count_structure([&] { std::thread(node).join(); });
  expect(nobody == trial::Structure(), "an unrelated thread is counted");
  const trial::Structure around = count_structure([&] {
    node();
    on_a_thread_of_autograd(node);
  });
  expect(around.operators == 2 * here.operators && around.backward_operators == 2,
         "both threads count");
}

constexpr std::string_view kLocalScalar = "aten::_local_scalar_dense";

// Counts each read of a device's number by the host, which synchronises.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
int waits = 0;

std::unique_ptr<at::ObserverContext> count_wait(const at::RecordFunction& call) {
  waits += call.name() == kLocalScalar ? 1 : 0;
  return nullptr;
}

struct Trained {
  std::vector<at::Tensor> parameters;
  std::unique_ptr<Optimizer> optimizer;

  Trained(StepSettings::OptimizerCall call, const std::string& name) {
    for (int i = 1; i <= 3; ++i) {
      parameters.push_back(at::full({4, 5}, 1.0 / i).requires_grad_(true));
    }
    trial::Workload workload;
    workload.optimizer = name;
    optimizer = make_optimizer(call, workload, parameters);
  }

  void set_gradients(double value) {
    for (at::Tensor& parameter : parameters) {
      parameter.mutable_grad() = at::full_like(parameter.detach(), value);
    }
  }

  std::vector<at::Tensor> values() const {
    std::vector<at::Tensor> values;
    for (const at::Tensor& parameter : parameters) {
      values.push_back(parameter.detach().clone());
    }
    return values;
  }
};

bool are_equal(const std::vector<at::Tensor>& left, const std::vector<at::Tensor>& right) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!at::equal(left[i], right[i])) {
      return false;
    }
  }
  return true;
}

const std::map<std::string, StepSettings::OptimizerCall>& calls() {
  static const std::map<std::string, StepSettings::OptimizerCall> all = {
      {"loop", StepSettings::OptimizerCall::loop},
      {"foreach", StepSettings::OptimizerCall::foreach},
      {"fused", StepSettings::OptimizerCall::fused}};
  return all;
}

// Skipped means without any trace: the next step must be the same as without the skipped one.
void a_step_that_is_not_finite_is_left_out() {
  for (const char* const name : {"sgd", "adamw"}) {
    for (const auto& [word, call] : calls()) {
      const std::string who = std::string(name) + " " + word;
      Trained plain(call, name);
      Trained scaled(call, name);
      LossScaler scaler(c10::Device(c10::DeviceType::CPU));
      for (const bool is_finite : {false, true, false, true, true}) {
        const std::vector<at::Tensor> before = scaled.values();
        const double scale = scaler.scale(at::ones({1})).item<double>();
        const double value = is_finite ? 0.25 * scale : std::numeric_limits<double>::infinity();
        scaled.set_gradients(value);
        const at::Tensor found_inf = scaler.unscale(scaled.optimizer->gradients());
        expect((found_inf.item<float>() == 0) == is_finite, who + ": it is not noticed");
        scaled.optimizer->step_if_finite(found_inf);
        if (is_finite) {
          plain.set_gradients(0.25);
          plain.optimizer->step();
        } else {
          expect(are_equal(scaled.values(), before), who + ": it changed parameters");
        }
      }
      expect(are_equal(scaled.values(), plain.values()), who + ": the steps after it differ");
      expect(scaler.scale(at::ones({1})).item<double>() == 65536.0 / 4, who + ": the scale");
    }
  }
}

int waits_of(const std::function<void()>& work) {
  waits = 0;
  work();
  return waits;
}

// On top of what a step reads itself: on a CPU the fused AdamW reads its step counters.
void only_fused_optimizers_do_not_wait() {
  const auto handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback(count_wait).scopes({at::RecordScope::FUNCTION}));
  for (const char* const name : {"sgd", "adamw"}) {
    for (const auto& [word, call] : calls()) {
      Trained trained(call, name);
      LossScaler scaler(c10::Device(c10::DeviceType::CPU));
      trained.set_gradients(1);
      trained.optimizer->step();  // creates its state
      const int by_itself = waits_of([&] { trained.optimizer->step(); });
      trained.set_gradients(65536);
      at::Tensor found_inf;
      expect(waits_of([&] { found_inf = scaler.unscale(trained.optimizer->gradients()); }) == 0,
             "the scaler waits");
      const int more = waits_of([&] { trained.optimizer->step_if_finite(found_inf); }) - by_itself;
      expect(more == (word == "fused" ? 0 : 1),
             std::string(name) + " " + word + " waits " + std::to_string(more) + " times more");
    }
  }
  at::removeCallback(handle);
}

// The flags that LibTorch's GPU part reads before each product.
void tf32_leaves_getters_that_answer() {
  for (const char* const value : {"none", "convolutions", "all"}) {
    trial::TrialSpec spec;
    spec.knobs = trial::default_settings();
    spec.knobs["tf32"] = std::string(value);
    spec.workload.device = "cuda";
    StepSettings settings;
    tf32_knob().apply(spec, settings);
    at::Context& context = at::globalContext();
    const bool products = context.allowTF32CuBLAS();  // throws where the two kinds of flags differ
    const bool convolutions = context.allowTF32CuDNN();
    const bool is_all = std::string_view(value) == "all";
    expect(products == is_all, std::string(value) + ": products");
    expect(std::string_view(value) == "convolutions" || convolutions == is_all,
           std::string(value) + ": convolutions");
  }
}

void autocast_sees_weights_that_changed() {
  at::Tensor weight = at::ones({8, 8}).requires_grad_(true);
  const at::Tensor input = at::ones({8, 8});
  const auto product = [&] {
    const AutocastGuard autocast(StepSettings::Autocast::bf16, c10::DeviceType::CPU);
    return at::mm(input, weight).sum().item<double>();
  };
  expect(product() == 512, "the first product");
  {
    const at::NoGradGuard no_grad;
    weight.mul_(2);
  }
  expect(product() == 1024, "the previous step's weight was used");
}

int run(const std::string& name) {
  const std::map<std::string, void (*)()> checks = {
      {"structure-counts-threads-of-the-backward-pass",
       structure_counts_threads_of_the_backward_pass},
      {"a-step-that-is-not-finite-is-left-out", a_step_that_is_not_finite_is_left_out},
      {"only-fused-optimizers-do-not-wait", only_fused_optimizers_do_not_wait},
      {"replayed-steps-compute-the-same", replayed_steps_compute_the_same},
      {"losses-that-are-overwritten-are-kept", losses_that_are_overwritten_are_kept},
      {"a-trial-of-the-loader-alone-captures-nothing",
       a_trial_of_the_loader_alone_captures_nothing},
      {"tf32-leaves-getters-that-answer", tf32_leaves_getters_that_answer},
      {"autocast-sees-weights-that-changed", autocast_sees_weights_that_changed}};
  const auto check = checks.find(name);
  if (check == checks.end()) {
    (void)std::fprintf(stderr, "torch_check: no check '%s'\n", name.c_str());
    return 2;
  }
  try {
    check->second();
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return 1;
  }
}

}  // namespace
}  // namespace tune::worker

int main(int argc, char** argv) {
  const int code = tune::worker::run(argc == 2 ? argv[1] : "");
  _exit(code);
}
