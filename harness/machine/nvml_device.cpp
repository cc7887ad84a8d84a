#include "machine/nvml_device.h"

#include <utility>

namespace tune::machine {

namespace {

using nvml::FieldValue;

constexpr int kNoFunction = -1;
constexpr double kPercent = 0.01, kMega = 1e6, kMilli = 1e-3, kNano = 1e-9, kKibi = 1024;

struct Field {
  GpuQuantity quantity;
  unsigned field, scope;
  double factor;
};
constexpr std::array<Field, 10> kFields = {
    {{GpuQuantity::memory_temperature, nvml::kMemoryTemperature, 0, 1},
     {GpuQuantity::power_cap_time, nvml::kPowerCapTime, 0, kNano},
     {GpuQuantity::sync_boost_time, nvml::kSyncBoostTime, 0, kNano},
     {GpuQuantity::software_thermal_time, nvml::kSoftwareThermalTime, 0, kNano},
     {GpuQuantity::hardware_thermal_time, nvml::kHardwareThermalTime, 0, kNano},
     {GpuQuantity::power_brake_time, nvml::kPowerBrakeTime, 0, kNano},
     {GpuQuantity::pcie_sent, nvml::kPcieSent, 0, 1},
     {GpuQuantity::pcie_received, nvml::kPcieReceived, 0, 1},
     {GpuQuantity::nvlink_sent, nvml::kNvlinkSent, nvml::kAllLinks, kKibi},
     {GpuQuantity::nvlink_received, nvml::kNvlinkReceived, nvml::kAllLinks, kKibi}}};

constexpr std::array<std::pair<GpuQuantity, unsigned>, 4> kGpmMetrics = {
    {{GpuQuantity::sm_util, nvml::kGpmSmUtil},
     {GpuQuantity::sm_occupancy, nvml::kGpmSmOccupancy},
     {GpuQuantity::tensor_util, nvml::kGpmTensor},
     {GpuQuantity::dram_util, nvml::kGpmDramBandwidth}}};

double number_of(const FieldValue& field) {
  switch (field.type) {
    case 0:
      return field.value.real;
    case 1:
      return field.value.small;
    case 2:
      return static_cast<double>(field.value.whole);
    case 3:
      return static_cast<double>(field.value.large);
    case 4:
      return static_cast<double>(field.value.with_sign);
    default:
      return field.value.small_with_sign;
  }
}

GpuValue valued(int code, double value) {
  return {code == nvml::kSuccess ? value : 0, code};
}

}  // namespace

NvmlDevice::NvmlDevice(const Nvml& library, const Nvml::Gpu& gpu)
    : library_(library), handle_(gpu.handle) {
  nvml::GpmSupport support;
  gpm_code_ = library_.call("nvmlGpmQueryDeviceSupport", handle_, &support);
  if (gpm_code_ == nvml::kSuccess && support.is_supported == 0) {
    gpm_code_ = nvml::kNotSupported;
  }
  for (nvml::GpmSample* const sample : {&gpm_before_, &gpm_after_}) {
    if (gpm_code_ == nvml::kSuccess) {
      gpm_code_ = library_.call("nvmlGpmSampleAlloc", sample);
    }
  }
}

NvmlDevice::~NvmlDevice() {
  for (const nvml::GpmSample sample : {gpm_before_, gpm_after_}) {
    if (sample != nullptr) {
      (void)library_.call("nvmlGpmSampleFree", sample);
    }
  }
}

const GpuValues& NvmlDevice::read(std::int64_t now_ns) {
  read_states();
  read_fields();
  read_gpm(now_ns);
  return values_;
}

void NvmlDevice::read_states() {
  nvml::Utilization util;
  int code = library_.call("nvmlDeviceGetUtilizationRates", handle_, &util);
  at(GpuQuantity::util) = valued(code, util.gpu * kPercent);
  at(GpuQuantity::memory_util) = valued(code, util.memory * kPercent);
  nvml::Memory memory;
  code = library_.call("nvmlDeviceGetMemoryInfo_v2", handle_, &memory);
  at(GpuQuantity::memory_used) = valued(code, static_cast<double>(memory.used));
  unsigned long long millijoules = 0;
  code = library_.call("nvmlDeviceGetTotalEnergyConsumption", handle_, &millijoules);
  at(GpuQuantity::energy) = valued(code, static_cast<double>(millijoules) * kMilli);
  nvml::Temperature heat;
  code = library_.call("nvmlDeviceGetTemperatureV", handle_, &heat);
  at(GpuQuantity::temperature) = valued(code, heat.degrees);
  if (code != nvml::kSuccess) {  // drivers of 2024 and older
    unsigned degrees = 0;
    const int old_code = library_.call("nvmlDeviceGetTemperature", handle_, 0U, &degrees);
    at(GpuQuantity::temperature) = valued(old_code, degrees);
  }
  at(GpuQuantity::sm_clock) = clock("nvmlDeviceGetClockInfo", nvml::Clock::sm);
  at(GpuQuantity::memory_clock) = clock("nvmlDeviceGetClockInfo", nvml::Clock::memory);
  unsigned long long reasons = 0;
  code = library_.call("nvmlDeviceGetCurrentClocksEventReasons", handle_, &reasons);
  if (code == kNoFunction) {  // its name before 2023
    code = library_.call("nvmlDeviceGetCurrentClocksThrottleReasons", handle_, &reasons);
  }
  at(GpuQuantity::power_capped) = valued(code, (reasons & nvml::kReasonPowerCap) != 0 ? 1 : 0);
  at(GpuQuantity::thermally_slowed) = valued(code, (reasons & nvml::kReasonThermal) != 0 ? 1 : 0);
}

void NvmlDevice::read_fields() {
  std::array<FieldValue, kFields.size()> fields{};
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    fields[i].field = kFields[i].field;
    fields[i].scope = kFields[i].scope;
    fields[i].code = nvml::kNotSupported;
  }
  const int code = library_.call(
      "nvmlDeviceGetFieldValues", handle_, static_cast<int>(fields.size()), fields.data());
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    at(kFields[i].quantity) = valued(code == nvml::kSuccess ? fields[i].code : code,
                                     number_of(fields[i]) * kFields[i].factor);
  }
}

void NvmlDevice::read_gpm(std::int64_t now_ns) {
  constexpr std::int64_t kApartNs = 100'000'000;  // readings closer together are refused
  if (gpm_code_ == nvml::kSuccess && gpm_ns_ != 0 && now_ns - gpm_ns_ < kApartNs) {
    return;  // the last values remain
  }
  int code = gpm_code_;
  if (code == nvml::kSuccess) {
    code = library_.call("nvmlGpmSampleGet", handle_, gpm_after_);
  }
  const bool has_two = code == nvml::kSuccess && gpm_ns_ != 0;
  if (has_two) {
    gpm_.version = 1;
    gpm_.count = static_cast<unsigned>(kGpmMetrics.size());
    gpm_.before = gpm_before_;
    gpm_.after = gpm_after_;
    for (std::size_t i = 0; i < kGpmMetrics.size(); ++i) {
      gpm_.metrics[i] = {.metric = kGpmMetrics[i].second, .code = nvml::kNotSupported};
    }
    code = library_.call("nvmlGpmMetricsGet", &gpm_);
  }
  for (std::size_t i = 0; i < kGpmMetrics.size(); ++i) {
    constexpr int kNoData = 21;
    const int own = has_two && code == nvml::kSuccess ? gpm_.metrics[i].code
                    : code == nvml::kSuccess          ? kNoData
                                                      : code;
    at(kGpmMetrics[i].first) = valued(own, gpm_.metrics[i].value * kPercent);
  }
  if (code == nvml::kSuccess) {
    std::swap(gpm_before_, gpm_after_);
    gpm_ns_ = now_ns;
  }
}

GpuValue NvmlDevice::clock(const char* function, nvml::Clock clock) const {
  unsigned megahertz = 0;
  const int code = library_.call(function, handle_, static_cast<unsigned>(clock), &megahertz);
  return valued(code, megahertz * kMega);
}

GpuValue NvmlDevice::max_sm_clock() const {
  return clock("nvmlDeviceGetMaxClockInfo", nvml::Clock::sm);
}

GpuValue NvmlDevice::power_limit() const {
  unsigned milliwatts = 0;
  const int code = library_.call("nvmlDeviceGetEnforcedPowerLimit", handle_, &milliwatts);
  return valued(code, milliwatts * kMilli);
}

GpuValue NvmlDevice::memory_total() const {
  nvml::Memory memory;
  const int code = library_.call("nvmlDeviceGetMemoryInfo_v2", handle_, &memory);
  return valued(code, static_cast<double>(memory.total));
}

GpuValue NvmlDevice::process_count() const {
  std::array<nvml::ProcessInfo, 64> processes{};
  auto count = static_cast<unsigned>(processes.size());
  int code =
      library_.call("nvmlDeviceGetComputeRunningProcesses_v3", handle_, &count, processes.data());
  constexpr int kInsufficientSize = 7;  // there are more, and `count` says how many
  code = code == kInsufficientSize ? nvml::kSuccess : code;
  return valued(code, count);
}

}  // namespace tune::machine
