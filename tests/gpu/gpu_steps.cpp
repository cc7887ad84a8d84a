#include "gpu_steps.h"

#include "base/monotonic_clock.h"

#include <cuda_runtime_api.h>
#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

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

std::function<void()> launch_bound_step() {
  torch::manual_seed(1);
  torch::nn::Sequential model;
  for (int i = 0; i < 16; ++i) {
    model->push_back(torch::nn::Linear(64, 64));
    model->push_back(torch::nn::ReLU());
  }
  model->to(torch::kCUDA);
  const torch::Tensor input = torch::randn({8, 64}, torch::kCUDA);
  const auto optimizer =
      std::make_shared<torch::optim::SGD>(model->parameters(), torch::optim::SGDOptions(0.01));
  return [model, input, optimizer]() mutable {
    optimizer->zero_grad();
    model->forward(input).square().mean().backward();
    optimizer->step();
  };
}

std::function<void()> gpu_bound_step() {
  const auto options = torch::TensorOptions(torch::kCUDA).dtype(torch::kHalf);
  const torch::Tensor left = torch::randn({4096, 4096}, options);
  const torch::Tensor right = torch::randn({4096, 4096}, options);
  return [left, right] {
    for (int i = 0; i < 8; ++i) {
      (void)torch::mm(left, right);
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
  Recorded recorded;
  worker::TraceSession& session = plugin.trace();
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
