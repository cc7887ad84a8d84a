// The cost of the boundary to a plug-in per step: the same empty step through the worker's own path
// to a shared library (worker/plugin/), and in a model that is linked in. Aim: at most 1 us more.
//
//   plugin_boundary [steps]
//
// Exit code 0: within the aim; 1: beyond.

#include "base/clock.h"
#include "trial/knob_catalog.h"
#include "worker/plugin/plugin_workload.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <vector>

namespace tune::bench {

namespace {

constexpr double kAimNs = 1'000;
constexpr int kRepeats = 15;

class LinkedModel final : public worker::Model {
 public:
  LinkedModel() : loss_(at::zeros({1})) { loss_.set_requires_grad(true); }

  at::Tensor forward(const at::Tensor& /*images*/) override { return loss_; }
  at::Tensor loss(const at::Tensor& /*images*/, const at::Tensor& /*labels*/) override {
    return loss_;
  }
  std::vector<at::Tensor> parameters() const override { return {loss_}; }
  std::vector<at::Tensor> buffers() const override { return {}; }

 private:
  at::Tensor loss_;
};

double step_ns(worker::Model& model, std::int64_t steps) {
  const at::Tensor input = at::zeros({4, 3, 8, 8});
  const at::Tensor labels = at::zeros({4}, at::kLong);
  std::int64_t defined = 0;
  const std::int64_t start_ns = monotonic_ns();
  for (std::int64_t step = 0; step < steps; ++step) {
    defined += model.loss(input, labels).defined() ? 1 : 0;
  }
  const auto passed = static_cast<double>(monotonic_ns() - start_ns);
  if (defined != steps) {
    std::exit(2);
  }
  return passed / static_cast<double>(steps);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int measure(std::int64_t steps) {
  trial::TrialSpec spec;
  spec.knobs = trial::default_settings();
  spec.workload.own.kind = trial::OwnModel::Kind::plugin;
  spec.workload.own.path = EMPTY_PLUGIN;
  const worker::PluginWorkload plugin(spec, "cpu");
  const auto through = plugin.make_model();
  LinkedModel linked;
  std::vector<double> inside, across;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    inside.push_back(step_ns(linked, steps));
    across.push_back(step_ns(*through, steps));
  }
  const double cost_ns = median(across) - median(inside);
  std::printf(
      "linked in %.1f ns, through the plug-in %.1f ns: the boundary costs %.1f ns per step\n",
      median(inside),
      median(across),
      cost_ns);
  std::printf("%s\n", cost_ns <= kAimNs ? "within 1 us" : "more than the aim of 1 us");
  return cost_ns <= kAimNs ? 0 : 1;
}

}  // namespace

}  // namespace tune::bench

int main(int argc, char** argv) {
  const int code = tune::bench::measure(argc == 2 ? std::max(1LL, std::atoll(argv[1])) : 1'000'000);
  (void)std::fflush(nullptr);
  _exit(code);  // as tune-worker ends
}
