#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::worker {

/// Rows of the work of a GPU and its driver. All times are CLOCK_MONOTONIC ns; `name` is an index
/// into DeviceTrace::names.

struct KernelRow {
  std::uint32_t name = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t device = 0, context = 0, stream = 0, correlation = 0;
  std::array<std::int32_t, 3> grid = {}, block = {};
  std::int32_t registers = 0;                          ///< per thread
  std::int32_t static_shared = 0, dynamic_shared = 0;  ///< bytes per block
  std::uint32_t graph = 0;                             ///< 0: not from a CUDA graph
  std::uint64_t graph_node = 0;
};

/// `kind`, `from` and `to` are CUPTI's numbers; copy_name() gives Kineto's words.
struct CopyRow {
  std::uint8_t kind = 0, from = 0, to = 0;
  std::int64_t start_ns = 0, end_ns = 0, bytes = 0;
  std::uint32_t device = 0, context = 0, stream = 0, correlation = 0;
  std::optional<std::uint32_t> from_device, to_device;  ///< of copies between devices
  std::uint32_t graph = 0;
  std::uint64_t graph_node = 0;
};

struct SetRow {
  std::uint16_t memory = 0;  ///< CUPTI's number; memory_name()
  std::int64_t start_ns = 0, end_ns = 0, bytes = 0;
  std::uint32_t device = 0, context = 0, stream = 0, correlation = 0;
  std::uint32_t graph = 0;
  std::uint64_t graph_node = 0;
};

/// A call into the runtime or the driver. `thread` is gettid().
struct CallRow {
  enum class Interface { runtime, driver };
  Interface interface = Interface::runtime;
  std::uint32_t name = 0, callback = 0;  ///< `callback`: CUPTI's id of the function (cbid)
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t process = 0, thread = 0, correlation = 0, result = 0;
};

/// cudaEventRecord: its stream, and the correlation of the call.
struct EventRecord {
  std::uint32_t stream = 0, correlation = 0;
  bool operator==(const EventRecord&) const = default;
};

struct SyncRow {
  enum class Kind { event = 1, stream_wait_event = 2, stream = 3, context = 4 };
  Kind kind = Kind::context;
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t context = 0, correlation = 0;
  std::optional<std::uint32_t> stream, event;  ///< if the kind has one
  std::uint64_t event_sync = 0;                ///< joins a wait with the record it waits for
  std::optional<EventRecord> record;           ///< if it was seen
};

struct OverheadRow {
  std::uint32_t name = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t thread = 0, correlation = 0;
};

/// One launch of a CUDA graph as a whole, when its nodes are not recorded.
struct GraphRow {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t device = 0, context = 0, stream = 0, correlation = 0, graph = 0;
};

/// A number that was attached to the calls of a thread.
struct ExternalRow {
  std::uint32_t kind = 0, correlation = 0;
  std::uint64_t id = 0;
};

/// Counters besides the rows. A trace is never silently incomplete: whatever is missing is counted.
struct DecodeCounts {
  std::int64_t records = 0;
  std::int64_t dropped = 0;         ///< CUPTI had no buffer for them
  std::int64_t unknown_kinds = 0;   ///< not decoded here
  std::int64_t without_time = 0;    ///< start or end is 0: never finished, or lost; not in the rows
  std::int64_t backwards = 0;       ///< end before start; not in the rows
  std::int64_t broken_buffers = 0;  ///< whose end could not be reached
  bool operator==(const DecodeCounts&) const = default;
};

struct DeviceTrace {
  std::vector<std::string> names;
  std::vector<KernelRow> kernels;
  std::vector<CopyRow> copies;
  std::vector<SetRow> sets;
  std::vector<CallRow> calls;
  std::vector<SyncRow> syncs;
  std::vector<OverheadRow> overheads;
  std::vector<GraphRow> graphs;
  std::vector<ExternalRow> externals;
  DecodeCounts counts;
};

/// "Memcpy HtoD (Pageable -> Device)", "Memset (Device)": Kineto's names of copies and sets.
std::string copy_name(const CopyRow& copy);
std::string set_name(const SetRow& set);

/// "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync".
const char* sync_name(SyncRow::Kind kind);

}  // namespace tune::worker
