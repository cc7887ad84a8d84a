#include "trial/device_json.h"

#include "trial/record_columns.h"
#include "trial/reply_limits.h"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace tune::trial {

namespace {

using nlohmann::json;

constexpr Columns<DevicePhaseSums, 5> kParts = {{{"idle_ns", &DevicePhaseSums::idle_ns},
                                                 {"transfer_ns", &DevicePhaseSums::transfer_ns},
                                                 {"forward_ns", &DevicePhaseSums::forward_ns},
                                                 {"backward_ns", &DevicePhaseSums::backward_ns},
                                                 {"optimizer_ns", &DevicePhaseSums::optimizer_ns}}};

using Count = std::pair<const char*, std::int64_t DeviceMemory::*>;
constexpr std::array<Count, 10> kCounts = {
    {{"allocated_bytes", &DeviceMemory::allocated_bytes},
     {"peak_allocated_bytes", &DeviceMemory::peak_allocated_bytes},
     {"reserved_bytes", &DeviceMemory::reserved_bytes},
     {"peak_reserved_bytes", &DeviceMemory::peak_reserved_bytes},
     {"inactive_split_bytes", &DeviceMemory::inactive_split_bytes},
     {"retries", &DeviceMemory::retries},
     {"device_allocations", &DeviceMemory::device_allocations},
     {"device_frees", &DeviceMemory::device_frees},
     {"sync_all_streams", &DeviceMemory::sync_all_streams},
     {"failures", &DeviceMemory::failures}}};

using Fact = std::pair<const char*, std::int64_t GpuFacts::*>;
constexpr std::array<Fact, 8> kFacts = {{{"compute_major", &GpuFacts::compute_major},
                                         {"compute_minor", &GpuFacts::compute_minor},
                                         {"memory_bytes", &GpuFacts::memory_bytes},
                                         {"multiprocessors", &GpuFacts::multiprocessors},
                                         {"driver_version", &GpuFacts::driver_version},
                                         {"runtime_version", &GpuFacts::runtime_version},
                                         {"cupti_version", &GpuFacts::cupti_version},
                                         {"cudnn_version", &GpuFacts::cudnn_version}}};

}  // namespace

json to_value(const DevicePhaseSums& sums) {
  json object = json::object();
  for (const auto& [name, part] : kParts) {
    object[name] = sums.*part;
  }
  return object;
}

DevicePhaseSums read_device_phases(JsonObject object) {
  DevicePhaseSums sums;
  for (const auto& [name, part] : kParts) {
    sums.*part = object.whole(name, kDuration);
  }
  return sums;
}

json device_steps_to_json(const std::vector<DevicePhaseSums>& steps) {
  return columns_to_json(steps, kParts, kMostDeviceSteps);
}

std::vector<DevicePhaseSums> read_device_steps(JsonObject object) {
  return read_columns(object, kParts, kMostDeviceSteps, kDuration);
}

json to_value(const DeviceMemory& memory) {
  json object = json::object();
  for (const auto& [name, count] : kCounts) {
    object[name] = memory.*count;
  }
  return object;
}

DeviceMemory read_device_memory(JsonObject object) {
  DeviceMemory memory;
  for (const auto& [name, count] : kCounts) {
    memory.*count = object.whole(name, kBytes);
  }
  return memory;
}

json to_value(const GpuFacts& gpu) {
  json object = {{"name", gpu.name}, {"uuid", gpu.uuid}};
  for (const auto& [name, fact] : kFacts) {
    object[name] = gpu.*fact;
  }
  return object;
}

GpuFacts read_gpu(JsonObject object) {
  GpuFacts gpu;
  gpu.name = object.text("name", 256);
  gpu.uuid = object.text("uuid", 256);
  for (const auto& [name, fact] : kFacts) {
    gpu.*fact = object.whole(name, kBytes);
  }
  return gpu;
}

}  // namespace tune::trial
