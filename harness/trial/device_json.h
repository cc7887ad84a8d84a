#pragma once

#include "trial/device_report.h"
#include "trial/json_object.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace tune::trial {

nlohmann::json to_value(const DevicePhaseSums& sums);
DevicePhaseSums read_device_phases(JsonObject object);

/// One list a part, as the phases of the host. Throws tune::Error when their lengths differ.
nlohmann::json device_steps_to_json(const std::vector<DevicePhaseSums>& steps);
std::vector<DevicePhaseSums> read_device_steps(JsonObject object);

nlohmann::json to_value(const DeviceMemory& memory);
DeviceMemory read_device_memory(JsonObject object);

nlohmann::json to_value(const GpuFacts& gpu);
GpuFacts read_gpu(JsonObject object);

}  // namespace tune::trial
