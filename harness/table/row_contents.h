#pragma once

#include "base/saturated_sum.h"
#include "profile/timeline.h"
#include "table/table_input.h"

#include <cstdint>
#include <vector>

namespace tune::table {

/// Bytes allocated less bytes freed, of the host and of devices.
struct MemoryUse {
  std::int64_t cpu_bytes = 0, device_bytes = 0;

  void add(const MemoryUse& more) {
    cpu_bytes = saturated_sum(cpu_bytes, more.cpu_bytes);
    device_bytes = saturated_sum(device_bytes, more.device_bytes);
  }
};

/// Device work and memory of the rows of the host. Vectors are by event.
struct RowContents {
  /// Of work whose launch lies in the row: in no operator within, and in any.
  std::vector<std::int64_t> self_device_ns, device_ns;
  std::vector<MemoryUse> self_memory, memory;
  MemoryUse outside;  ///< of [memory] rows in no row of the host
  std::int64_t outside_rows = 0;
  std::int64_t all_device_ns = 0;  ///< of all work, linked or not
  std::int64_t unlinked_ns = 0, unlinked_rows = 0;
  bool has_device_rows = false, has_device_memory = false;
};

RowContents contents_of_rows(const TableInput& input);

}  // namespace tune::table
