#include "machine/gpu_state.h"

#include "base/clock.h"
#include "machine/gpu_driver.h"
#include "machine/nvml_device.h"

#include <array>
#include <vector>

namespace tune::machine {

namespace {

std::optional<std::int64_t> whole(const Nvml& library, const char* function, nvml::Device device) {
  unsigned value = 0;
  return library.call(function, device, &value) == nvml::kSuccess
             ? std::optional<std::int64_t>(value)
             : std::nullopt;
}

std::optional<bool> flag(const Nvml& library, const char* function, nvml::Device device) {
  const auto value = whole(library, function, device);
  return value ? std::optional(*value != 0) : std::nullopt;
}

std::optional<double> real(const GpuValue& value) {
  return value.code == nvml::kSuccess ? std::optional(value.value) : std::nullopt;
}

std::optional<std::int64_t> bytes(const GpuValue& value) {
  const auto number = real(value);
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::optional<bool> yes(const GpuValue& value) {
  const auto number = real(value);
  return number ? std::optional(*number != 0) : std::nullopt;
}

// nvmlComputeMode_t; 1 was removed in CUDA 8.
std::string compute_mode(const Nvml& library, nvml::Device device) {
  constexpr std::int64_t kProhibited = 2, kExclusive = 3;
  const auto mode = whole(library, "nvmlDeviceGetComputeMode", device);
  if (!mode) {
    return "";
  }
  return *mode == kProhibited ? "prohibited" : *mode == kExclusive ? "exclusive-process" : "shared";
}

std::optional<bool> is_partitioned(const Nvml& library, nvml::Device device) {
  unsigned now = 0, pending = 0;
  return library.call("nvmlDeviceGetMigMode", device, &now, &pending) == nvml::kSuccess
             ? std::optional(now != 0)
             : std::nullopt;
}

// nvmlMemoryErrorType_t: 1 is uncorrected; nvmlEccCounterType_t: 0 counts since the driver was
// loaded.
std::optional<std::int64_t> uncorrected_errors(const Nvml& library, nvml::Device device) {
  constexpr unsigned kUncorrected = 1, kVolatile = 0;
  unsigned long long count = 0;
  const int code =
      library.call("nvmlDeviceGetTotalEccErrors", device, kUncorrected, kVolatile, &count);
  constexpr unsigned long long kMost = 1ULL << 62;
  return code == nvml::kSuccess && count < kMost ? std::optional(static_cast<std::int64_t>(count))
                                                 : std::nullopt;
}

void read_activity(const Nvml& library, const Nvml::Gpu& gpu, GpuState& state) {
  NvmlDevice device(library, gpu);
  const GpuValues& now = device.read(monotonic_ns());
  const auto at = [&](GpuQuantity quantity) -> const GpuValue& {
    return now[static_cast<std::size_t>(quantity)];
  };
  state.used_ratio = real(at(GpuQuantity::util));
  state.memory_used_bytes = bytes(at(GpuQuantity::memory_used));
  state.temperature = real(at(GpuQuantity::temperature));
  state.is_power_capped = yes(at(GpuQuantity::power_capped));
  state.is_thermally_slowed = yes(at(GpuQuantity::thermally_slowed));
  state.memory_bytes = bytes(device.memory_total());
  state.power_limit_w = real(device.power_limit());
  state.processes = bytes(device.process_count());
}

}  // namespace

GpuDriver read_gpu_driver(const Nvml& library) {
  GpuDriver driver;
  std::array<char, 96> text{};
  constexpr auto kRoom = static_cast<unsigned>(text.size() - 1);
  if (library.call("nvmlSystemGetDriverVersion", text.data(), kRoom) == nvml::kSuccess) {
    driver.version = text.data();
  }
  int cuda = 0;
  if (library.call("nvmlSystemGetCudaDriverVersion_v2", &cuda) == nvml::kSuccess && cuda > 0) {
    driver.cuda_version = cuda;
  }
  return driver;
}

GpuState read_gpu_state(const Nvml& library, const Nvml::Gpu& gpu) {
  GpuState state;
  state.uuid = gpu.uuid;
  state.name = gpu.name;
  state.is_persistent = flag(library, "nvmlDeviceGetPersistenceMode", gpu.handle);
  state.is_partitioned = is_partitioned(library, gpu.handle);
  state.compute_mode = compute_mode(library, gpu.handle);
  constexpr double kMilli = 1e-3;
  if (const auto milliwatts =
          whole(library, "nvmlDeviceGetPowerManagementDefaultLimit", gpu.handle)) {
    state.usual_power_limit_w = static_cast<double>(*milliwatts) * kMilli;
  }
  state.link_width = whole(library, "nvmlDeviceGetCurrPcieLinkWidth", gpu.handle);
  state.most_link_width = whole(library, "nvmlDeviceGetMaxPcieLinkWidth", gpu.handle);
  state.uncorrected_errors = uncorrected_errors(library, gpu.handle);
  read_activity(library, gpu, state);
  return state;
}

UsedGpu find_used_gpu(const Nvml& library, const std::optional<std::string>& visible_devices) {
  std::vector<std::string> uuids;
  uuids.reserve(library.gpus().size());
  for (const Nvml::Gpu& gpu : library.gpus()) {
    uuids.push_back(gpu.uuid);
  }
  UsedGpu used{.gpus = uuids.size()};
  const std::vector<std::size_t> visible = visible_gpus(visible_devices, uuids);
  used.allowed = visible.size();
  if (!visible.empty()) {
    used.index = visible.front();
    used.name = library.gpus()[visible.front()].name;
  }
  return used;
}

}  // namespace tune::machine
