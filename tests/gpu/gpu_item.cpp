#include "gpu_item.h"

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>

namespace tune::gpu_items {

namespace {

std::string own_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace

std::string answer_of(const std::string& words) {
  std::string command = "'";
  command += own_program();
  command += "' ";
  command += words;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return "";
  }
  std::array<char, 8192> block{};
  std::string last;
  while (std::fgets(block.data(), block.size(), pipe) != nullptr) {
    last = block.data();
  }
  pclose(pipe);
  while (!last.empty() && last.back() == '\n') {
    last.pop_back();
  }
  return last;
}

double number_in(const std::string& answer, const std::string& key) {
  const std::size_t at = answer.find("\"" + key + "\": ");
  return at == std::string::npos ? 0 : std::atof(answer.c_str() + at + key.size() + 4);
}

bool has_passed(const std::string& answer) {
  return answer.find("\"verdict\": \"pass\"") != std::string::npos;
}

Answer answers_of(const std::vector<std::string>& items) {
  Answer answer;
  for (const std::string& item : items) {
    const std::string found = answer_of(item);
    answer.put_json(item, found.starts_with('{') ? found : "null");
    answer.expect(has_passed(found), item);
  }
  return answer;
}

void wait_for_device() {
  (void)cudaDeviceSynchronize();
}

void put_kernels(Answer& answer, const worker::DeviceTrace& trace) {
  double sum_ns = 0;
  for (const worker::KernelRow& kernel : trace.kernels) {
    sum_ns += static_cast<double>(kernel.end_ns - kernel.start_ns);
  }
  answer.put("kernels", static_cast<double>(trace.kernels.size()));
  answer.put("kernel_ns", sum_ns);
  answer.put("dropped", static_cast<double>(trace.counts.dropped));
}

void expect_whole(Answer& answer, const Recorded& recorded) {
  const auto& in_steps = recorded.result.check.kernels_in_steps;
  const auto differs = std::adjacent_find(in_steps.begin(), in_steps.end(), std::not_equal_to<>());
  answer.expect(!in_steps.empty() && in_steps.front() > 0, "there are kernels in each step");
  answer.expect(differs == in_steps.end(), "each step has as many kernels");
  answer.expect(recorded.result.trace.counts.dropped == 0, "no record was dropped");
  const std::string problems = problems_of(recorded);
  if (!problems.empty()) {
    answer.fail(problems);
  }
}

Replayed::Replayed() {
  const auto options = at::TensorOptions(at::kCUDA);
  input_ = at::randn({256, 256}, options);
  const c10::cuda::CUDAStream side = c10::cuda::getStreamFromPool();
  const c10::cuda::CUDAStreamGuard guard(side);
  for (int i = 0; i < 3; ++i) {
    compute();
  }
  wait_for_device();
  graph_.capture_begin();
  compute();
  graph_.capture_end();
  wait_for_device();
}

void Replayed::compute() {
  constexpr int kKernels = 8;
  output_ = input_;
  for (int i = 0; i < kKernels; ++i) {
    output_ = at::mm(output_, input_).relu();
  }
}

}  // namespace tune::gpu_items
