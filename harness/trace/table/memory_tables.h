#pragma once

#include "trace/table/table.h"
#include "trace/table/table_input.h"
#include "trace/timeline.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::table {

/// c10's number of a kind of device, and the number of the device.
using MemoryDevice = std::pair<std::int32_t, std::int32_t>;

/// "CPU", "CUDA 0", "device type 9, 0".
std::string device_text(const MemoryDevice& device);

/// How much memory a device's allocator held after each of its [memory] rows.
struct MemoryLevels {
  struct Point {
    std::uint32_t row = 0;  ///< in Timeline::memory
    std::int64_t allocated_bytes = 0;
    std::int64_t reserved_bytes = profile::kUnknownNumber;
  };

  MemoryDevice device;
  std::vector<Point> points;  ///< by time
  /// False: the rows do not say how much was allocated in all (profilers of 2021), so that the
  /// levels count from the start of the trace.
  bool are_absolute = true;
};

/// The levels of each device that has a [memory] row, in the order of the devices.
std::vector<MemoryLevels> memory_levels(const profile::Timeline& timeline);

// From [memory] rows (profile_memory=True). Not applicable without any. Times count from the first
// row of the trace.

/// One row for each device: peaks of allocated and reserved memory, when the first of them was and
/// in which operator; how many allocations and frees, and how many bytes were allocated in all.
Table memory_table(const TableInput& input);

/// Allocated and reserved memory over time. Of each of `points` equal parts of the trace the
/// highest levels, so that peaks are kept.
Table memory_timeline_table(const TableInput& input, std::size_t points = 200);

/// The largest allocations, at most 100, with the operator that made them and how long they lived;
/// the lifetime of what was never freed, or whose address is not recorded, is not known.
Table allocation_table(const TableInput& input);

}  // namespace tune::table
