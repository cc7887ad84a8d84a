#pragma once

#include "profile/category.h"
#include "profile/string_pool.h"

#include <array>
#include <cstdint>
#include <limits>

namespace tune::profile {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kUnknownId = -1;
constexpr std::int64_t kUnknownNumber = std::numeric_limits<std::int64_t>::min();

/// One complete row of a trace, 48 bytes. What only some rows have stands in the side table of
/// their category (Timeline), at `detail`.
struct Event {
  std::int64_t start_ns = 0;  ///< as in the file; + Timeline::base_time_ns is the time of day
  std::int64_t duration_ns = 0;
  std::int64_t correlation = kUnknownId;  ///< the same for a device row and the call that issued it
  std::int64_t external_id = kUnknownId;  ///< of the operator that was running
  StringId name = 0;
  std::uint32_t track = 0;       ///< index in Timeline::tracks
  std::uint32_t detail = kNone;  ///< index in the side table; kNone when the row says nothing
  Category category = Category::other;

  std::int64_t end_ns() const { return start_ns + duration_ns; }
};
static_assert(sizeof(Event) <= 64);

/// A row of the timeline: a thread of the host, or a stream of a device.
struct Track {
  StringId process = 0, thread = 0;  ///< pid and tid as written
  StringId process_name = 0, thread_name = 0;
  bool is_device = false;
  std::int32_t device = -1;          ///< -1: not known, or a host row
  std::int64_t stream = kUnknownId;  ///< of device rows
};

/// Of kernels. A ratio is NaN, a count -1 where the row does not say.
struct KernelDetail {
  std::array<std::int32_t, 3> grid = {-1, -1, -1}, block = {-1, -1, -1};
  float blocks_per_sm = std::numeric_limits<float>::quiet_NaN();
  float warps_per_sm = std::numeric_limits<float>::quiet_NaN();
  float occupancy_ratio = std::numeric_limits<float>::quiet_NaN();  ///< estimated by Kineto, 0-1
  std::int32_t registers_per_thread = -1;
  std::int32_t shared_memory_bytes = -1;
  std::uint32_t graph_node = kNone;  ///< of a CUDA graph
  std::uint32_t collective = kNone;  ///< index in Timeline::collectives
};

/// Of memcpy and memset rows.
struct CopyDetail {
  std::int64_t bytes = kUnknownNumber;
};

/// Of cuda_sync rows; the ids are of the critical path.
struct SyncDetail {
  std::int64_t waits_for_stream = kUnknownId;
  std::int64_t waits_for_record_correlation = kUnknownId;
  std::int64_t event_id = kUnknownId;
};

/// Of operators and annotations. Texts are JSON without white space: "[[64,512],[512]]".
struct OpDetail {
  StringId input_dims = 0, input_types = 0, input_strides = 0, concrete_inputs = 0;
  StringId module_hierarchy = 0, call_stack = 0;  ///< the stack only when asked for
  std::int64_t sequence_number = kUnknownId;      ///< joins forward and backward
  std::int64_t forward_thread = kUnknownId;       ///< > 0: a backward operator
  std::uint32_t collective = kNone;               ///< index in Timeline::collectives
};

/// Of Python frames, when asked for.
struct PythonDetail {
  std::int64_t id = kUnknownId, parent = kUnknownId, module = kUnknownId;
};

/// Of kernels and operators that are part of a collective.
struct CollectiveDetail {
  StringId name = 0, dtype = 0, group_name = 0, group_description = 0, group_ranks = 0;
  std::int64_t elements_in = kUnknownNumber, elements_out = kUnknownNumber;
  std::int64_t group_size = kUnknownNumber;
  std::int64_t source_rank = kUnknownNumber, target_rank = kUnknownNumber;
  std::int64_t sequence = kUnknownNumber;
};

/// A "[memory]" row: one allocation or free.
struct MemoryEvent {
  std::int64_t time_ns = 0;
  std::int64_t bytes = 0;  ///< negative: freed
  std::int64_t address = kUnknownNumber;
  std::int64_t total_allocated_bytes = kUnknownNumber, total_reserved_bytes = kUnknownNumber;
  std::uint32_t track = 0;
  std::int32_t device_type = -1;  ///< c10: 0 CPU, 1 CUDA, ...
  std::int32_t device = -1;
};

}  // namespace tune::profile
