#include "table/memory_levels.h"

#include <algorithm>

namespace tune::table {

namespace {

MemoryLevels& levels_of(std::vector<MemoryLevels>& all, const MemoryDevice& device) {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const MemoryLevels& levels) { return levels.device == device; });
  return found != all.end() ? *found
                            : all.emplace_back(MemoryLevels{.device = device, .points = {}});
}

}  // namespace

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
  std::vector<MemoryLevels> all;
  for (std::uint32_t i = 0; i < timeline.memory.size(); ++i) {
    const profile::MemoryEvent& memory = timeline.memory[i];
    MemoryLevels& levels = levels_of(all, {memory.device_type, memory.device});
    const bool is_known = memory.total_allocated_bytes != profile::kUnknownNumber;
    const std::int64_t before_bytes =
        levels.points.empty() ? 0 : levels.points.back().allocated_bytes;
    levels.are_absolute = levels.are_absolute && is_known;
    levels.points.push_back({i,
                             is_known ? memory.total_allocated_bytes : before_bytes + memory.bytes,
                             memory.total_reserved_bytes});
  }
  std::sort(all.begin(), all.end(), [](const MemoryLevels& a, const MemoryLevels& b) {
    return a.device < b.device;
  });
  return all;
}

}  // namespace tune::table
