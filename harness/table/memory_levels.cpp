#include "table/memory_levels.h"

#include "base/saturated_sum.h"

#include <map>
#include <utility>

namespace tune::table {

std::string device_text(const MemoryDevice& device) {
  const auto& [type, index] = device;
  switch (type) {
    case 0:
      return "CPU";
    case 1:
      return "CUDA " + std::to_string(index);
    case 6:
      return "HIP " + std::to_string(index);
    case 12:
      return "XPU " + std::to_string(index);
    default:
      return "device type " + std::to_string(type) + ", " + std::to_string(index);
  }
}

std::vector<MemoryLevels> memory_levels(const profile::Timeline& timeline) {
  std::map<MemoryDevice, MemoryLevels> by_device;
  for (std::uint32_t i = 0; i < timeline.memory.size(); ++i) {
    const profile::MemoryEvent& memory = timeline.memory[i];
    const MemoryDevice device{memory.device_type, memory.device};
    MemoryLevels& levels =
        by_device.try_emplace(device, MemoryLevels{.device = device}).first->second;
    const bool is_known = memory.total_allocated_bytes != profile::kUnknownNumber;
    const std::int64_t before_bytes =
        levels.points.empty() ? 0 : levels.points.back().allocated_bytes;
    levels.are_absolute = levels.are_absolute && is_known;
    levels.points.push_back(
        {i,
         is_known ? memory.total_allocated_bytes : saturated_sum(before_bytes, memory.bytes),
         memory.total_reserved_bytes});
  }
  std::vector<MemoryLevels> all;
  all.reserve(by_device.size());
  for (auto& [device, levels] : by_device) {
    all.push_back(std::move(levels));
  }
  return all;
}

}  // namespace tune::table
