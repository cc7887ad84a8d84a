// Stands in for libnvidia-ml.so.1: as many GPUs as the answers name, idle but for their power.
#include "base/clock.h"
#include "gpu/stand_in/answers.h"
#include "machine/nvml.h"

#include <cstdint>
#include <cstdio>
#include <string>

using tune::machine::nvml::Device;

extern "C" {
int nvmlInit_v2();
int nvmlShutdown();
int nvmlSystemGetDriverVersion(char* text, unsigned room);
int nvmlSystemGetCudaDriverVersion_v2(int* version);
int nvmlDeviceGetCount_v2(unsigned* count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device);
int nvmlDeviceGetUUID(Device device, char* text, unsigned room);
int nvmlDeviceGetName(Device device, char* text, unsigned room);
int nvmlDeviceGetMemoryInfo_v2(Device device, tune::machine::nvml::Memory* memory);
int nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long* millijoules);
int nvmlDeviceGetUtilizationRates(Device device, tune::machine::nvml::Utilization* rates);
}

namespace {

const tune::stand_in::Answers& answers() {
  static const auto answers =
      tune::stand_in::Answers::beside(reinterpret_cast<const void*>(&nvmlInit_v2));
  return answers;
}

// A handle is the index + 1, because null would be none.
unsigned index_of(Device device) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(device)) - 1;
}

int say(const std::string& function, const std::string& words, char* text, unsigned room) {
  std::snprintf(text, room, "%s", words.c_str());
  return answers().code(function);
}

}  // namespace

int nvmlInit_v2() {
  return answers().code("nvmlInit_v2");
}

int nvmlShutdown() {
  return 0;
}

int nvmlSystemGetDriverVersion(char* text, unsigned room) {
  return say("nvmlSystemGetDriverVersion", answers().text("driver"), text, room);
}

int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = static_cast<int>(answers().number("cuda", 13000));
  return answers().code("nvmlSystemGetCudaDriverVersion_v2");
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(answers().gpus().size());
  return answers().code("nvmlDeviceGetCount_v2");
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  *device = reinterpret_cast<Device>(static_cast<std::uintptr_t>(index) + 1);
  return answers().code("nvmlDeviceGetHandleByIndex_v2");
}

int nvmlDeviceGetUUID(Device device, char* text, unsigned room) {
  const std::string index = std::to_string(index_of(device));
  return say("nvmlDeviceGetUUID",
             "GPU-0000000" + index.substr(0, 1) + "-0000-0000-0000-000000000000",
             text,
             room);
}

int nvmlDeviceGetName(Device device, char* text, unsigned room) {
  return say("nvmlDeviceGetName", answers().gpus().at(index_of(device)), text, room);
}

int nvmlDeviceGetMemoryInfo_v2(Device /*device*/, tune::machine::nvml::Memory* memory) {
  memory->total = 80ULL << 30U;
  memory->free = memory->total;
  return answers().code("nvmlDeviceGetMemoryInfo_v2");
}

int nvmlDeviceGetTotalEnergyConsumption(Device /*device*/, unsigned long long* millijoules) {
  constexpr std::int64_t kMillisecondNs = 1'000'000;
  *millijoules = static_cast<unsigned long long>(answers().number("watts", 100) *
                                                 (tune::monotonic_ns() / kMillisecondNs));
  return answers().code("nvmlDeviceGetTotalEnergyConsumption");
}

int nvmlDeviceGetUtilizationRates(Device /*device*/, tune::machine::nvml::Utilization* rates) {
  *rates = {};
  return answers().code("nvmlDeviceGetUtilizationRates");
}
