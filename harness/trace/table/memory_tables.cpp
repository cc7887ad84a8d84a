#include "trace/table/memory_tables.h"

#include "base/whole_number.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
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

namespace {

using profile::kNone;
using profile::kUnknownNumber;
using profile::MemoryEvent;

constexpr std::size_t kMostAllocations = 100;

const char* const kNoRows =
    "the trace has no [memory] row: allocations were not recorded (profile_memory=True)";
const char* const kRelative =
    "the trace does not say how much memory was allocated when it began: levels count from there";

std::int64_t begin_ns(const TableInput& input) {
  const auto& timeline = input.timeline;
  const std::int64_t first_ns = timeline.memory.front().time_ns;
  return timeline.events.empty() ? first_ns : std::min(timeline.events.front().start_ns, first_ns);
}

Cell bytes_cell(std::int64_t bytes) {
  return bytes == kUnknownNumber ? Cell() : Cell(bytes);
}

// Most memory is asked for by aten::empty: the outermost operator says what for.
class OperatorCells {
 public:
  explicit OperatorCells(const TableInput& input)
      : input_(input), outermost_(outermost_that(input.tree, [&input](std::uint32_t row) {
          return input.timeline.events[row].category == profile::Category::cpu_op;
        })) {}

  Cell of(std::uint32_t memory_row) const {
    const auto& timeline = input_.timeline;
    const std::uint32_t innermost =
        enclosing_operator(input_.tree, input_.tree.memory_row[memory_row]);
    if (innermost == kNone) {
      return {};
    }
    const std::uint32_t outermost = outermost_[innermost];
    std::string text(timeline.name(timeline.events[innermost]));
    if (outermost != kNone && outermost != innermost) {
      text += " in ";
      text += timeline.name(timeline.events[outermost]);
    }
    return text;
  }

 private:
  const TableInput& input_;
  std::vector<std::uint32_t> outermost_;  // by event: the outermost operator around it
};

Row device_row(const TableInput& input, const MemoryLevels& levels, const OperatorCells& cells) {
  MemoryLevels::Point peak{.allocated_bytes = std::numeric_limits<std::int64_t>::min()};
  std::int64_t reserved_bytes = kUnknownNumber, allocations = 0, frees = 0, allocated_bytes = 0;
  for (const MemoryLevels::Point& point : levels.points) {
    peak = point.allocated_bytes > peak.allocated_bytes ? point : peak;
    reserved_bytes = std::max(reserved_bytes, point.reserved_bytes);
    const std::int64_t bytes = input.timeline.memory[point.row].bytes;
    allocations += bytes > 0 ? 1 : 0;
    frees += bytes < 0 ? 1 : 0;
    allocated_bytes = saturated_sum(allocated_bytes, std::max<std::int64_t>(bytes, 0));
  }
  return {device_text(levels.device),
          peak.allocated_bytes,
          bytes_cell(reserved_bytes),
          input.timeline.memory[peak.row].time_ns - begin_ns(input),
          allocations,
          frees,
          allocated_bytes,
          cells.of(peak.row)};
}

using Place = std::pair<MemoryDevice, std::int64_t>;

Place place_of(const MemoryEvent& memory) {
  return {MemoryDevice{memory.device_type, memory.device}, memory.address};
}

// By allocation (row of Timeline::memory) how long its address was not freed, ns: of all that lay
// where one of these lies.
std::unordered_map<std::uint32_t, std::int64_t> lifetimes(const profile::Timeline& timeline,
                                                          const std::vector<std::uint32_t>& rows) {
  std::map<Place, std::uint32_t> living;
  for (const std::uint32_t row : rows) {
    if (timeline.memory[row].address != kUnknownNumber) {
      living[place_of(timeline.memory[row])] = kNone;
    }
  }
  std::unordered_map<std::uint32_t, std::int64_t> lifetimes;
  for (std::uint32_t i = 0; i < timeline.memory.size(); ++i) {
    const MemoryEvent& memory = timeline.memory[i];
    const auto place = living.find(place_of(memory));
    if (place == living.end()) {
      continue;
    }
    if (memory.bytes > 0) {
      place->second = i;
    } else if (place->second != kNone) {
      lifetimes[place->second] = memory.time_ns - timeline.memory[place->second].time_ns;
      place->second = kNone;
    }
  }
  return lifetimes;
}

// Divides the time of all [memory] rows into parts; for each, the point with the most allocated
// memory.
std::vector<MemoryLevels::Point> highest_of_parts(const std::vector<MemoryEvent>& memory,
                                                  const MemoryLevels& levels,
                                                  std::size_t parts) {
  const std::int64_t first_ns = memory.front().time_ns;
  const std::int64_t part_ns =
      (memory.back().time_ns - first_ns) / static_cast<std::int64_t>(parts) + 1;
  std::vector<MemoryLevels::Point> highest;
  highest.reserve(parts);
  std::int64_t part = -1;
  for (const MemoryLevels::Point& point : levels.points) {
    const std::int64_t own_part = (memory[point.row].time_ns - first_ns) / part_ns;
    if (own_part != part) {
      highest.push_back(point);
      part = own_part;
    } else if (point.allocated_bytes > highest.back().allocated_bytes) {
      highest.back() = point;
    }
  }
  return highest;
}

}  // namespace

Table memory_table(const TableInput& input) {
  Table table{.id = "memory", .title = "Memory"};
  if (input.timeline.memory.empty()) {
    table.reason = kNoRows;
    return table;
  }
  table.columns = {{"device", "Device"},
                   {"peak_allocated", "Peak allocated", Quantity::bytes},
                   {"peak_reserved", "Peak reserved", Quantity::bytes},
                   {"peak_at", "Peak at", Quantity::time_ns},
                   {"allocations", "Allocations", Quantity::count},
                   {"frees", "Frees", Quantity::count},
                   {"allocated_in_all", "Allocated in all", Quantity::bytes},
                   {"operator", "Operator at peak"}};
  const std::vector<MemoryLevels> devices = memory_levels(input.timeline);
  const OperatorCells cells(input);
  table.rows.reserve(devices.size());
  bool are_absolute = true;
  for (const MemoryLevels& levels : devices) {
    table.rows.push_back(device_row(input, levels, cells));
    are_absolute = are_absolute && levels.are_absolute;
  }
  if (!are_absolute) {
    table.notes.emplace_back(kRelative);
  }
  return table;
}

Table memory_timeline_table(const TableInput& input, std::size_t points) {
  Table table{.id = "memory-timeline", .title = "Memory over time"};
  const auto& memory = input.timeline.memory;
  if (memory.empty()) {
    table.reason = kNoRows;
    return table;
  }
  table.columns = {{"time", "Time", Quantity::time_ns},
                   {"device", "Device"},
                   {"allocated", "Allocated", Quantity::bytes},
                   {"reserved", "Reserved", Quantity::bytes}};
  bool are_absolute = true;
  for (const MemoryLevels& levels : memory_levels(input.timeline)) {
    are_absolute = are_absolute && levels.are_absolute;
    for (const MemoryLevels::Point& point : highest_of_parts(memory, levels, points)) {
      table.rows.push_back({memory[point.row].time_ns - begin_ns(input),
                            device_text(levels.device),
                            point.allocated_bytes,
                            bytes_cell(point.reserved_bytes)});
    }
  }
  if (!are_absolute) {
    table.notes.emplace_back(kRelative);
  }
  return table;
}

Table allocation_table(const TableInput& input) {
  Table table{.id = "allocations", .title = "Largest allocations"};
  const auto& memory = input.timeline.memory;
  if (memory.empty()) {
    table.reason = kNoRows;
    return table;
  }
  table.columns = {{"bytes", "Bytes", Quantity::bytes},
                   {"device", "Device"},
                   {"time", "Time", Quantity::time_ns},
                   {"lifetime", "Lifetime", Quantity::time_ns},
                   {"operator", "Operator"}};
  std::vector<std::uint32_t> largest;
  largest.reserve(memory.size());
  for (std::uint32_t i = 0; i < memory.size(); ++i) {
    if (memory[i].bytes > 0) {
      largest.push_back(i);
    }
  }
  const auto is_larger = [&memory](std::uint32_t a, std::uint32_t b) {
    return memory[a].bytes != memory[b].bytes ? memory[a].bytes > memory[b].bytes : a < b;
  };
  const std::size_t kept = std::min(largest.size(), kMostAllocations);
  std::partial_sort(largest.begin(),
                    largest.begin() + static_cast<std::ptrdiff_t>(kept),
                    largest.end(),
                    is_larger);
  table.left_out = largest.size() - kept;
  largest.resize(kept);
  const auto lifetime_of = lifetimes(input.timeline, largest);
  const OperatorCells cells(input);
  table.rows.reserve(kept);
  for (const std::uint32_t i : largest) {
    const auto lifetime = lifetime_of.find(i);
    table.rows.push_back({memory[i].bytes,
                          device_text({memory[i].device_type, memory[i].device}),
                          memory[i].time_ns - begin_ns(input),
                          lifetime == lifetime_of.end() ? Cell() : Cell(lifetime->second),
                          cells.of(i)});
  }
  return table;
}

}  // namespace tune::table
