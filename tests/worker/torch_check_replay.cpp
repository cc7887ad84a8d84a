#include "torch_check_replay.h"

#include "trial/knob_catalog.h"
#include "worker/data/loader.h"
#include "worker/host_work.h"
#include "worker/knob/all_knobs.h"
#include "worker/training_step.h"
#include "worker/workload/all_workloads.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune::worker {

namespace {

/// A graph on the CPU: capturing computes nothing, and a replay computes what was captured.
class HostGraph final : public GraphDevice {
 public:
  void run_aside(const std::function<void()>& work) override {
    calls += "a";
    work();
  }
  void capture(const std::function<void()>& work) override {
    calls += "c";
    work_ = work;
  }
  void replay() override {
    calls += "r";
    work_();
  }

  std::string calls;

 private:
  std::function<void()> work_;
};

struct Trained {
  std::vector<trial::Loss> losses;
  std::vector<at::Tensor> parameters;
};

// Three batches an epoch, the last of them smaller.
trial::TrialSpec spec_of(const std::string& optimizer, const std::string& amp) {
  trial::TrialSpec spec;
  spec.workload.model = "mlp";
  spec.workload.image_size = 8;
  spec.workload.classes = 10;
  spec.workload.optimizer = optimizer;
  spec.workload.device = "cpu";
  spec.data.samples = 10;
  spec.knobs = trial::default_settings();
  spec.knobs["batch_size"] = std::int64_t{4};
  spec.knobs["optimizer_impl"] = std::string("fused");
  spec.knobs["amp"] = amp;
  return spec;
}

constexpr int kSteps = 9;

Trained train(const trial::TrialSpec& spec, GraphDevice* graph) {
  const StepSettings settings = apply_knobs(spec);
  const auto loader = make_loader(spec);
  const auto model = make_model(spec.workload, settings.model);
  TrainingStep step(spec, settings, *model, *loader);
  if (graph != nullptr) {
    step.capture_on(*graph);
  }
  for (int i = 0; i < kSteps; ++i) {
    step.fetch();
    step.compute();
  }
  return {step.losses().all(), model->parameters()};
}

void expect(bool holds, const std::string& what) {
  if (!holds) {
    throw std::runtime_error(what);
  }
}

}  // namespace

void replayed_steps_compute_the_same() {
  for (const char* const optimizer : {"sgd", "adamw"}) {
    for (const char* const amp : {"none", "bf16"}) {
      const std::string who = std::string(optimizer) + " " + amp;
      const trial::TrialSpec spec = spec_of(optimizer, amp);
      HostGraph graph;
      const Trained plain = train(spec, nullptr);
      const Trained replayed = train(spec, &graph);
      expect(graph.calls == "aaacrrr", who + ": " + graph.calls);
      expect(plain.losses.size() == 5, who + ": losses of steps 1, 2, 4, 8 and 9");
      expect(plain.losses == replayed.losses, who + ": the losses differ");
      for (std::size_t i = 0; i < plain.parameters.size(); ++i) {
        expect(at::equal(plain.parameters[i], replayed.parameters[i]), who + ": parameters differ");
      }
    }
  }
}

void losses_that_are_overwritten_are_kept() {
  LossRecord losses;
  at::Tensor loss = at::full({}, 0.0);
  for (std::int64_t step = 1; step <= 7; ++step) {
    loss.fill_(10 * step);
    losses.keep_overwritten(step, loss);
    expect(losses.last() == static_cast<double>(10 * step), "the last one");
  }
  expect(losses.all() == std::vector<trial::Loss>{{1, 10}, {2, 20}, {4, 40}, {7, 70}},
         "a listed loss was overwritten");
}

void a_trial_of_the_loader_alone_captures_nothing() {
  trial::TrialSpec spec = spec_of("sgd", "none");
  spec.measure.loader_only = true;
  HostGraph graph;
  train(spec, &graph);
  expect(graph.calls.empty(), graph.calls);
}

}  // namespace tune::worker
