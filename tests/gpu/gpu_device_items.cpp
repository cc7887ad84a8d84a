// Items about the device: what it is, how fast it starts, TF32, copies and memory.

#include "gpu_item.h"
#include "worker/cuda/cupti_api.h"

#include <ATen/ATen.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <cupti.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace tune::gpu_items {

namespace {

using worker::CudaPlugin;
using worker::DeviceTrace;

std::string library_of(const void* function) {
  Dl_info info{};
  return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

// Time since this process was started, by the kernel's clock (10 ms).
double seconds_since_exec() {
  constexpr int kStartField = 20;  // index among the fields after the name
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string field;
  for (int i = 0; i < kStartField; ++i) {
    fields >> field;
  }
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double ticks = std::atof(field.c_str()) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - ticks;
}

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

Answer start(Call& call) {
  Answer answer;
  const at::Tensor side = at::ones({64, 64}, at::kCUDA);
  const double sum = at::mm(side, side).sum().item<double>();
  const double seconds = seconds_since_exec();
  const worker::CudaFacts& facts = call.plugin.facts();
  const std::string cupti = library_of(reinterpret_cast<const void*>(&cuptiGetVersion));
  answer.put("seconds", seconds);
  answer.put("resident_mib", resident_mib());
  answer.put("device", facts.name);
  answer.put("uuid", facts.uuid);
  const auto compute_minor = static_cast<double>(facts.compute_minor);
  answer.put("compute_capability", static_cast<double>(facts.compute_major) + compute_minor / 10);
  answer.put("driver", static_cast<double>(facts.driver_version));
  answer.put("runtime", static_cast<double>(facts.runtime_version));
  answer.put("cupti", static_cast<double>(facts.cupti_version));
  answer.put("cudnn", static_cast<double>(facts.cudnn_version));
  answer.put("cupti_library", cupti);
  answer.expect(sum == 64.0 * 64.0 * 64.0, "the product of ones is right");
  const bool is_cuda_13 = facts.runtime_version >= 13'000;
  answer.expect(facts.cupti_version >= (is_cuda_13 ? 130001 : 1), "CUPTI is 130001 or newer");
  answer.expect(is_cuda_13 ? facts.cudnn_version == 91900 : facts.cudnn_version > 0,
                "cuDNN is 91900");
  answer.expect(seconds <= 4, "it takes at most 4 s");
  return answer;
}

Answer tf32(Call& /*call*/) {
  Answer answer;
  const auto options = at::TensorOptions(at::kCUDA);
  const at::Tensor left = at::randn({4096, 4096}, options);
  const std::function<void()> step = [left] { (void)at::mm(left, left); };
  at::Context& context = at::globalContext();
  context.setAllowTF32CuBLAS(false);
  (void)seconds_of(step, 1, 5);
  const double exact_s = seconds_of(step, 5, 5);
  context.setAllowTF32CuBLAS(true);
  (void)seconds_of(step, 1, 5);
  const double tf32_s = seconds_of(step, 5, 5);
  context.setAllowTF32CuBLAS(false);
  std::string said = "nothing";
  try {
    context.setFloat32Precision(
        at::Float32Backend::CUDA, at::Float32Op::MATMUL, at::Float32Precision::TF32);
    (void)context.allowTF32CuBLAS();
  } catch (const c10::Error&) {
    said = "throws";
  }
  answer.put("exact_s", exact_s);
  answer.put("tf32_s", tf32_s);
  answer.put("getter_after_the_other_setter", said);
  answer.expect(tf32_s < exact_s, "TF32 is faster");
  answer.expect(said == "throws", "the getter throws after the other setter");
  return answer;
}

// Any copy to the device that overlaps a kernel.
bool do_overlap(const DeviceTrace& trace) {
  constexpr std::uint8_t kHostToDevice = 1;
  return std::any_of(trace.copies.begin(), trace.copies.end(), [&](const worker::CopyRow& copy) {
    return copy.kind == kHostToDevice &&
           std::any_of(trace.kernels.begin(), trace.kernels.end(), [&](const auto& kernel) {
             return kernel.start_ns < copy.end_ns && copy.start_ns < kernel.end_ns;
           });
  });
}

// A block that only fits after the cache is released: LibTorch asks the driver twice.
double retries_near_the_limit(CudaPlugin& plugin) {
  constexpr std::int64_t kBlock = std::int64_t{64} << 20;
  constexpr double kShare = 0.05;
  const auto options = at::TensorOptions(at::kCUDA).dtype(at::kByte);
  c10::cuda::CUDACachingAllocator::setMemoryFraction(kShare, 0);
  plugin.restart_memory_peaks();
  std::vector<at::Tensor> held;
  try {
    while (true) {
      held.push_back(at::empty({kBlock}, options));
    }
  } catch (const c10::OutOfMemoryError&) {  // that is the limit
  }
  const auto before = static_cast<double>(plugin.memory().retries);
  const auto half = static_cast<std::int64_t>(held.size() / 2);
  held.clear();
  (void)at::empty({kBlock * half + 1}, options);
  const double retries = static_cast<double>(plugin.memory().retries) - before;
  c10::cuda::CUDACachingAllocator::setMemoryFraction(1, 0);
  return retries;
}

Answer copies(Call& call) {
  constexpr std::int64_t kMiB = 1 << 20;
  Answer answer;
  const at::Tensor host = at::empty({64 * kMiB}, at::kByte).pin_memory();
  const auto compute = gpu_bound_step();
  const c10::cuda::CUDAStream side = c10::cuda::getStreamFromPool();
  const std::function<void()> step = [&] {
    compute();
    const c10::cuda::CUDAStreamGuard guard(side);
    (void)host.to(at::kCUDA, /*non_blocking=*/true);
  };
  const Recorded recorded = record(call.plugin, step, kSteps);
  answer.put("copies", static_cast<double>(recorded.result.trace.copies.size()));
  answer.expect(do_overlap(recorded.result.trace), "pinned copies overlap kernels");
  std::string said = "nothing";
  try {
    (void)at::empty({kMiB * kMiB * 64}, at::TensorOptions(at::kCUDA).dtype(at::kByte));
  } catch (const c10::OutOfMemoryError&) {
    said = "c10::OutOfMemoryError";
  } catch (const std::exception&) {
    said = "another exception";
  }
  answer.put("out_of_memory", said);
  const double retries = retries_near_the_limit(call.plugin);
  answer.put("retries", retries);
  answer.expect(retries >= 1, "an allocation near the limit is tried again, and that is counted");
  answer.expect(said == "c10::OutOfMemoryError", "out of memory has its own type");
  return answer;
}

Answer hardware_trace(Call& call) {
  constexpr std::int64_t kBlackwell = 10;
  Answer answer;
  const CUptiResult result = cuptiActivityEnableHWTrace(1);
  const char* name = "";
  (void)cuptiGetResultString(result, &name);
  answer.put("code", static_cast<double>(result));
  answer.put("name", std::string(name));
  const bool is_new = call.plugin.facts().compute_major >= kBlackwell;
  answer.expect(is_new || result != CUPTI_SUCCESS, "it is not supported before Blackwell");
  return answer;
}

}  // namespace

Items device_items() {
  return {{"start", start}, {"tf32", tf32}, {"copies", copies}, {"hardware-trace", hardware_trace}};
}

}  // namespace tune::gpu_items
