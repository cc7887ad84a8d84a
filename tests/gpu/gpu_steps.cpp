#include "gpu_steps.h"

#include "base/clock.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

namespace tune::gpu_items {

namespace {

constexpr double kNano = 1e-9;

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    const bool is_special = c == '"' || c == '\\';
    json += is_special ? std::string{'\\', c}
                       : std::string(1, static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  }
  return json += "\"";
}

void wait() {
  (void)cudaDeviceSynchronize();
}

}  // namespace

void Answer::put_json(const std::string& key, const std::string& json) {
  measured_ += measured_.empty() ? "" : ", ";
  measured_ += quoted(key);
  measured_ += ": ";
  measured_ += json;
}

void Answer::put(const std::string& key, double value) {
  std::array<char, 40> text{};
  (void)std::snprintf(text.data(), text.size(), "%.9g", value);
  put_json(key, std::isfinite(value) ? text.data() : "null");
}

void Answer::put(const std::string& key, const std::string& text) {
  put_json(key, quoted(text));
}

void Answer::fail(const std::string& reason) {
  verdict_ = "fail";
  reason_ += reason_.empty() ? "" : "; ";
  reason_ += reason;
}

void Answer::expect(bool holds, const std::string& what) {
  if (!holds) {
    fail("not so: " + what);
  }
}

void Answer::not_run(const std::string& reason) {
  verdict_ = "not-run";
  reason_ = reason;
}

std::string Answer::json() const {
  std::string text = "{\"verdict\": ";
  text += quoted(verdict_);
  text += ", \"reason\": ";
  text += reason_.empty() ? "null" : quoted(reason_);
  text += ", \"measured\": {";
  text += measured_;
  return text += "}}";
}

namespace {

/// The trained tensors of a model.
class Trained {
 public:
  at::Tensor add(at::IntArrayRef sizes) {
    tensors_.push_back((at::randn(sizes, at::kCUDA) * kFirst).requires_grad_(true));
    return tensors_.back();
  }

  void step() {
    const at::NoGradGuard no_grad;
    for (at::Tensor& tensor : tensors_) {
      tensor.sub_(tensor.grad(), kRate);
      tensor.mutable_grad().reset();
    }
  }

 private:
  static constexpr double kFirst = 0.02, kRate = 0.01;
  std::vector<at::Tensor> tensors_;
};

}  // namespace

std::function<void()> launch_bound_step() {
  constexpr int kLayers = 16;
  at::manual_seed(1);
  const auto trained = std::make_shared<Trained>();
  std::vector<std::pair<at::Tensor, at::Tensor>> layers;
  layers.reserve(kLayers);
  for (int i = 0; i < kLayers; ++i) {
    layers.emplace_back(trained->add({64, 64}), trained->add({64}));
  }
  const at::Tensor input = at::randn({8, 64}, at::kCUDA);
  return [trained, layers, input] {
    at::Tensor state = input;
    for (const auto& [weight, bias] : layers) {
      state = at::relu(at::linear(state, weight, bias));
    }
    state.square().mean().backward();
    trained->step();
  };
}

std::function<void()> transformer_step() {
  constexpr std::int64_t kBatch = 16, kLength = 512, kHeads = 16, kWidth = 1024;
  constexpr int kLayers = 4;
  at::manual_seed(1);
  const auto trained = std::make_shared<Trained>();
  std::vector<std::array<at::Tensor, 4>> layers;
  layers.reserve(kLayers);
  for (int i = 0; i < kLayers; ++i) {
    layers.push_back({trained->add({3 * kWidth, kWidth}),
                      trained->add({kWidth, kWidth}),
                      trained->add({4 * kWidth, kWidth}),
                      trained->add({kWidth, 4 * kWidth})});
  }
  const at::Tensor input = at::randn({kBatch, kLength, kWidth}, at::kCUDA);
  return [trained, layers, input] {
    at::Tensor state = input;
    for (const auto& [heads, out, up, down] : layers) {
      const at::Tensor parts = at::linear(at::layer_norm(state, {kWidth}), heads)
                                   .view({kBatch, kLength, 3, kHeads, kWidth / kHeads})
                                   .permute({2, 0, 3, 1, 4});
      const at::Tensor seen = at::scaled_dot_product_attention(parts[0], parts[1], parts[2]);
      state = state + at::linear(seen.transpose(1, 2).reshape({kBatch, kLength, kWidth}), out);
      state = state + at::linear(at::gelu(at::linear(at::layer_norm(state, {kWidth}), up)), down);
    }
    state.square().mean().backward();
    trained->step();
  };
}

std::function<void()> gpu_bound_step() {
  const auto options = at::TensorOptions(at::kCUDA).dtype(at::kHalf);
  const at::Tensor left = at::randn({4096, 4096}, options);
  const at::Tensor right = at::randn({4096, 4096}, options);
  return [left, right] {
    for (int i = 0; i < 8; ++i) {
      (void)at::mm(left, right);
    }
  };
}

double seconds_of(const std::function<void()>& step, int blocks, int steps) {
  std::vector<double> seconds;
  seconds.reserve(static_cast<std::size_t>(blocks));
  wait();
  for (int block = 0; block < blocks; ++block) {
    const std::int64_t begin_ns = monotonic_ns();
    for (int i = 0; i < steps; ++i) {
      step();
    }
    wait();
    seconds.push_back(static_cast<double>(monotonic_ns() - begin_ns) * kNano / steps);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

Recorded record(worker::CudaPlugin& plugin,
                const std::function<void()>& step,
                int steps,
                const worker::TraceOptions& options) {
  return record(plugin.trace(), step, steps, options);
}

Recorded record(worker::TraceSession& session,
                const std::function<void()>& step,
                int steps,
                const worker::TraceOptions& options) {
  Recorded recorded;
  recorded.why = session.start(options);
  if (recorded.why) {
    return recorded;
  }
  for (int i = 0; i < 3; ++i) {
    step();
  }
  session.discard();
  std::vector<std::int64_t> edges;
  edges.reserve(static_cast<std::size_t>(steps) + 1);
  for (int i = 0; i < steps; ++i) {
    edges.push_back(monotonic_ns());
    step();
  }
  wait();
  edges.push_back(monotonic_ns());
  recorded.step_s = static_cast<double>(edges.back() - edges.front()) * kNano / steps;
  const std::int64_t begin_ns = monotonic_ns();
  recorded.result = session.finish(edges);
  recorded.finish_s = static_cast<double>(monotonic_ns() - begin_ns) * kNano;
  return recorded;
}

std::string problems_of(const Recorded& recorded) {
  std::string text = recorded.why ? recorded.why->text : "";
  for (const std::string& problem : recorded.result.check.problems) {
    text += text.empty() ? "" : ", ";
    text += problem;
  }
  return text;
}

}  // namespace tune::gpu_items
