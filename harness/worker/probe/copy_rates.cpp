#include "worker/probe/copy_rates.h"

#include "probe/timed_calls.h"
#include "worker/data/slot_memory.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/Device.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>

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

}  // namespace

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

}  // namespace tune::worker
