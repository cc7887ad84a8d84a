#include "worker/probe/worker_probe.h"

#include "base/clock.h"
#include "base/file.h"
#include "machine/probe/memory_speed.h"
#include "machine/probe/probe_record.h"
#include "machine/probe/timed_calls.h"
#include "worker/cuda_loader.h"
#include "worker/data/slot_memory.h"
#include "worker/usable_cpus.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <c10/core/Device.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

using probe::Effort;
using probe::Number;

Number to_device() {
  return {"h2d_rate", "", "B/s"};
}

Number from_device() {
  return {"d2h_rate", "", "B/s"};
}

std::vector<Number> neither(const std::string& words) {
  const std::string reason = words.substr(0, words.find('\n'));
  return {probe::not_measured(to_device(), reason), probe::not_measured(from_device(), reason)};
}

Number rate(const Number& number,
            std::int64_t bytes,
            const Effort& effort,
            const std::function<void()>& copy) {
  if (const std::string late = probe::why_too_late(effort); !late.empty()) {
    return probe::not_measured(number, late);
  }
  copy();  // the first one may fail
  std::vector<double> rates = probe::seconds_per_call({.work = copy,
                                                       .repetitions = effort.is_quick ? 3 : 9,
                                                       .least_s = effort.is_quick ? 0.01 : 0.05});
  for (double& value : rates) {
    value = static_cast<double>(bytes) / value;
  }
  return probe::of_samples(number, rates);
}

std::vector<Number> measure(CudaPlugin& gpu, const Effort& effort) {
  constexpr std::int64_t kUsual = std::int64_t{64} << 20, kQuick = std::int64_t{16} << 20;
  const std::int64_t bytes = effort.is_quick ? kQuick : kUsual;
  const SlotMemory memory(/*slots=*/1, bytes, &gpu);
  const c10::Device device(c10::DeviceType::CUDA,
                           static_cast<c10::DeviceIndex>(gpu.facts().device));
  const at::Tensor host = at::from_blob(memory.slot(0), {bytes}, at::TensorOptions(at::kByte));
  const at::Tensor there = at::empty({bytes}, at::TensorOptions(at::kByte).device(device));
  return {rate(to_device(), bytes, effort, [&] { there.copy_(host); }),
          rate(from_device(), bytes, effort, [&] { host.copy_(there); })};
}

// h2d_rate and d2h_rate: one copy of page-locked memory to the GPU and one back, each synchronised
// (64 MiB, 16 when quick). Without a GPU, or after a failure, both have the reason.
std::vector<Number> copy_rates(const CudaLoad& cuda, const Effort& effort) {
  if (cuda.plugin == nullptr) {
    return neither(no_gpu(cuda.reason));
  }
  try {
    return measure(*cuda.plugin, effort);
  } catch (const c10::Error& error) {
    return neither(error.what_without_backtrace());
  } catch (const std::exception& error) {
    return neither(error.what());
  }
}

constexpr std::int64_t kMostNs = 25'000'000'000;

std::string threads_text(int threads) {
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

at::Tensor square(std::int64_t side, at::ScalarType type) {
  return at::rand({side, side}).to(type);
}

double seconds_of_product(const at::Tensor& left, const at::Tensor& right) {
  const std::int64_t start_ns = monotonic_ns();
  at::mm(left, right);
  return static_cast<double>(monotonic_ns() - start_ns) * 1e-9;
}

// When a processor only emulates a type, as many do with bf16, the largest product may take many
// seconds; a smaller one has the same rate, because nothing in it is cached or vectorised.
std::int64_t largest_side(std::int64_t wanted, at::ScalarType type) {
  constexpr std::int64_t kTried = 128;
  constexpr double kMostSeconds = 0.25;  // of one product
  const at::Tensor left = square(kTried, type), right = square(kTried, type);
  seconds_of_product(left, right);  // the first one chooses a kernel and starts threads
  double seconds = seconds_of_product(left, right);
  std::int64_t side = kTried;
  for (; side < wanted && 8 * seconds <= kMostSeconds; side *= 2) {
    seconds *= 8;
  }
  return side;
}

// 2 n^3 operations on square matrices: large enough for the matrix units, small enough for caches.
Number matmul_rate(at::ScalarType type,
                   const std::string& name,
                   int threads,
                   const Effort& effort) {
  Number number{"matmul_flop_rate", name + ", " + threads_text(threads), "FLOP/s"};
  if (const std::string late = probe::why_too_late(effort); !late.empty()) {
    return probe::not_measured(number, late);
  }
  at::set_num_threads(threads);
  const std::int64_t side = largest_side(effort.is_quick ? 256 : 1024, type);
  const at::Tensor left = square(side, type), right = square(side, type);
  at::Tensor product;
  const auto work = [&] { product = at::mm(left, right); };
  work();  // the first one packs, chooses a kernel and starts threads
  std::vector<double> rates = probe::seconds_per_call({.work = work,
                                                       .repetitions = effort.is_quick ? 3 : 9,
                                                       .least_s = effort.is_quick ? 0.01 : 0.05});
  const auto flops = 2.0 * static_cast<double>(side * side * side);
  for (double& value : rates) {
    value = flops / value;
  }
  return probe::of_samples(number, rates);
}

Number operator_time(const char* label, const Effort& effort, const std::function<void()>& work) {
  Number number{"operator_time", label, "s"};
  if (const std::string late = probe::why_too_late(effort); !late.empty()) {
    return probe::not_measured(number, late);
  }
  return probe::of_samples(number,
                           probe::seconds_per_call({.work = work,
                                                    .repetitions = effort.is_quick ? 3 : 9,
                                                    .least_s = effort.is_quick ? 0.01 : 0.05}));
}

void add_operators(const Effort& effort, std::vector<Number>& numbers) {
  at::set_num_threads(1);
  at::Tensor one = at::ones({1});
  const at::Tensor tracked = at::ones({1}).set_requires_grad(true);
  at::Tensor result;
  numbers.push_back(operator_time("add_ of one element", effort, [&] { one.add_(1); }));
  numbers.push_back(operator_time("add of one element", effort, [&] { result = at::add(one, 1); }));
  numbers.push_back(operator_time(
      "add of one element with a gradient", effort, [&] { result = at::add(tracked, 1); }));
}

}  // namespace

int write_probe(const std::filesystem::path& file, bool is_quick) {
  const Effort effort{.is_quick = is_quick, .deadline_ns = monotonic_ns() + kMostNs};
  const CudaLoad cuda = load_cuda(usual_cuda_places());  // before anything of LibTorch
  const auto cpus = static_cast<int>(usable_cpus().size());
  std::vector<Number> numbers;
  for (const int threads : probe::thread_counts(cpus)) {
    const at::NoGradGuard no_gradient;
    numbers.push_back(matmul_rate(at::kFloat, "fp32", threads, effort));
    numbers.push_back(matmul_rate(at::kBFloat16, "bf16", threads, effort));
  }
  add_operators(effort, numbers);
  for (Number& number : copy_rates(cuda, effort)) {
    numbers.push_back(std::move(number));
  }
  write_file_synced(file, probe::numbers_to_json(numbers));
  return 0;
}

}  // namespace tune::worker
