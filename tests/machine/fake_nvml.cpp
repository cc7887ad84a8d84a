// A fake management library with two GPUs, loaded by tests in place of NVIDIA's. The first GPU
// supports everything, the second nothing. TUNE_FAKE_NVML in the environment: "down" makes the
// start fail, "empty" has no GPU. TUNE_FAKE_NVML_PROCESSES: how many compute (3).

#include "machine/nvml.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace nvml = tune::machine::nvml;

namespace {

struct Gpu {
  const char *uuid, *name;
  bool is_able;
};
Gpu gpus[2] = {{"GPU-11111111-0000-0000-0000-000000000000", "Able", true},
               {"GPU-22222222-0000-0000-0000-000000000000", "Plain", false}};
int samples = 0;
int calls = 0;  // step by which the counters grow

bool mode_is(std::string_view word) {
  const char* const mode = std::getenv("TUNE_FAKE_NVML");
  return mode != nullptr && word == mode;
}

int unless_plain(nvml::Device device) {
  return static_cast<Gpu*>(device)->is_able ? nvml::kSuccess : nvml::kNotSupported;
}

int put(char* text, unsigned room, const char* value) {
  if (std::strlen(value) >= room) {
    return 7;
  }
  std::strcpy(text, value);
  return nvml::kSuccess;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return mode_is("down") ? 9 : nvml::kSuccess;
}
int nvmlShutdown() {
  return nvml::kSuccess;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = mode_is("empty") ? 0 : 2;
  return nvml::kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvml::Device* device) {
  *device = &gpus[index];
  return nvml::kSuccess;
}
int nvmlDeviceGetUUID(nvml::Device device, char* text, unsigned room) {
  return put(text, room, static_cast<Gpu*>(device)->uuid);
}
int nvmlDeviceGetName(nvml::Device device, char* text, unsigned room) {
  return put(text, room, static_cast<Gpu*>(device)->name);
}
int nvmlDeviceGetUtilizationRates(nvml::Device device, nvml::Utilization* util) {
  *util = {87, 40};
  return unless_plain(device);
}
int nvmlDeviceGetMemoryInfo_v2(nvml::Device device, nvml::Memory* memory) {
  if (memory->version != (sizeof(nvml::Memory) | 2U << 24)) {
    return 25;
  }
  memory->total = 1000;
  memory->used = 250;
  return unless_plain(device);
}
int nvmlDeviceGetTotalEnergyConsumption(nvml::Device device, unsigned long long* millijoules) {
  *millijoules = 500'000ULL + 1000ULL * static_cast<unsigned>(calls);
  return unless_plain(device);
}
// No nvmlDeviceGetTemperatureV, as in a driver of 2024.
int nvmlDeviceGetTemperature(nvml::Device device, unsigned sensor, unsigned* degrees) {
  *degrees = 71;
  return sensor == 0 ? unless_plain(device) : 2;
}
int nvmlDeviceGetClockInfo(nvml::Device device, unsigned clock, unsigned* megahertz) {
  *megahertz = clock == static_cast<unsigned>(nvml::Clock::sm) ? 1500 : 2600;
  return unless_plain(device);
}
int nvmlDeviceGetMaxClockInfo(nvml::Device device, unsigned /*clock*/, unsigned* megahertz) {
  *megahertz = 2000;
  return unless_plain(device);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(nvml::Device device, unsigned long long* reasons) {
  *reasons = 0x4;
  return unless_plain(device);
}
int nvmlDeviceGetEnforcedPowerLimit(nvml::Device device, unsigned* milliwatts) {
  *milliwatts = 700'000;
  return unless_plain(device);
}
int nvmlDeviceGetComputeRunningProcesses_v3(nvml::Device device,
                                            unsigned* count,
                                            nvml::ProcessInfo* /*infos*/) {
  const char* const told = std::getenv("TUNE_FAKE_NVML_PROCESSES");
  *count = told == nullptr ? 3 : static_cast<unsigned>(std::atoi(told));
  return unless_plain(device);
}
int nvmlDeviceGetFieldValues(nvml::Device device, int count, nvml::FieldValue* fields) {
  ++calls;
  for (int i = 0; i < count; ++i) {
    fields[i].code = unless_plain(device);
    fields[i].type = 3;
    fields[i].value.large = 1'000'000ULL * fields[i].field;
    if (fields[i].field == nvml::kMemoryTemperature) {
      fields[i].type = 1;
      fields[i].value.large = 0;
      fields[i].value.small = 90;
    } else if (fields[i].field == nvml::kNvlinkSent) {
      fields[i].code = fields[i].scope == nvml::kAllLinks ? nvml::kNotSupported : 2;
    }
  }
  return nvml::kSuccess;
}
int nvmlSystemGetDriverVersion(char* text, unsigned room) {
  return put(text, room, "580.95.05");
}
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 13000;
  return nvml::kSuccess;
}
int nvmlDeviceGetPersistenceMode(nvml::Device device, unsigned* mode) {
  *mode = 0;
  return unless_plain(device);
}
int nvmlDeviceGetMigMode(nvml::Device device, unsigned* now, unsigned* pending) {
  *now = 0;
  *pending = 1;
  return unless_plain(device);
}
int nvmlDeviceGetComputeMode(nvml::Device device, unsigned* mode) {
  *mode = 3;
  return unless_plain(device);
}
int nvmlDeviceGetPowerManagementDefaultLimit(nvml::Device device, unsigned* milliwatts) {
  *milliwatts = 750'000;
  return unless_plain(device);
}
int nvmlDeviceGetCurrPcieLinkWidth(nvml::Device device, unsigned* lanes) {
  *lanes = 8;
  return unless_plain(device);
}
int nvmlDeviceGetMaxPcieLinkWidth(nvml::Device device, unsigned* lanes) {
  *lanes = 16;
  return unless_plain(device);
}
int nvmlDeviceGetTotalEccErrors(nvml::Device device,
                                unsigned type,
                                unsigned counter,
                                unsigned long long* count) {
  *count = 2;
  return type == 1 && counter == 0 ? unless_plain(device) : 2;
}
int nvmlGpmQueryDeviceSupport(nvml::Device device, nvml::GpmSupport* support) {
  support->is_supported = static_cast<Gpu*>(device)->is_able ? 1 : 0;
  return nvml::kSuccess;
}
int nvmlGpmSampleAlloc(nvml::GpmSample* sample) {
  *sample = new int(0);
  return nvml::kSuccess;
}
int nvmlGpmSampleFree(nvml::GpmSample sample) {
  delete static_cast<int*>(sample);
  return nvml::kSuccess;
}
int nvmlGpmSampleGet(nvml::Device /*device*/, nvml::GpmSample sample) {
  *static_cast<int*>(sample) = ++samples;
  return nvml::kSuccess;
}
int nvmlGpmMetricsGet(nvml::GpmMetrics* metrics) {
  if (metrics->version != 1 ||
      *static_cast<int*>(metrics->after) <= *static_cast<int*>(metrics->before)) {
    return 2;
  }
  for (unsigned i = 0; i < metrics->count; ++i) {
    const bool is_tensor = metrics->metrics[i].metric == nvml::kGpmTensor;
    metrics->metrics[i].code = is_tensor ? nvml::kNotSupported : nvml::kSuccess;
    metrics->metrics[i].value = 10.0 * metrics->metrics[i].metric;
  }
  return nvml::kSuccess;
}

}  // extern "C"
