#pragma once

#include "profile/event.h"
#include "profile/reader_notes.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tune::profile {

/// One entry of deviceProperties; 0 where the file does not say.
struct DeviceProperties {
  std::int64_t id = 0;
  std::string name;
  std::int64_t memory_bytes = 0;
  std::int64_t compute_major = 0, compute_minor = 0;
  std::int64_t multiprocessors = 0;
  std::int64_t warp_size = 0;
  std::int64_t max_threads_per_block = 0, max_threads_per_multiprocessor = 0;
  std::int64_t registers_per_multiprocessor = 0;
  std::int64_t shared_memory_per_block_bytes = 0, shared_memory_per_multiprocessor_bytes = 0;
};

/// Which rank of a distributed job wrote the file.
struct RankInfo {
  std::optional<std::int64_t> rank;
  std::string source;  ///< "distributedInfo", "file name"; "" when not known
  std::optional<std::int64_t> world_size;
  std::string backend;
};

/// What it took to read the file.
struct ReadCost {
  std::int64_t file_bytes = 0;   ///< as stored
  std::int64_t json_bytes = 0;   ///< after decompression
  std::int64_t rows = 0;         ///< elements of traceEvents
  std::int64_t table_bytes = 0;  ///< held by the timeline
  std::string compression;       ///< "none", "gzip", "zstd"
};

/// A trace as tables. `events` is sorted by start, the longer row first where two start together,
/// so that a parent precedes its children; the other tables are addressed by Event::detail, by the
/// category of the row:
///
///     kernel -> kernels · memcpy, memset -> copies · synchronization -> syncs
///     cpu_op, user_annotation -> ops · python_function -> frames
///
/// Nothing in it is made up: a value that the file does not have is kUnknownId, kUnknownNumber, NaN
/// or the empty text, and a table without rows was not recorded or not asked for.
struct Timeline {
  std::string file;
  StringPool strings;
  std::vector<Event> events;
  std::vector<Track> tracks;
  std::vector<KernelDetail> kernels;
  std::vector<CopyDetail> copies;
  std::vector<SyncDetail> syncs;
  std::vector<OpDetail> ops;
  std::vector<PythonDetail> frames;
  std::vector<CollectiveDetail> collectives;
  std::vector<MemoryEvent> memory;  ///< by time
  std::vector<DeviceProperties> devices;
  std::map<std::string, std::string> metadata;  ///< scalars beside traceEvents, as written
  RankInfo rank;
  std::int64_t base_time_ns = 0;              ///< unix time of 0 in start_ns
  std::optional<std::int64_t> window_end_ns;  ///< "Record Window End"
  std::optional<std::int64_t> cut_at_ns;      ///< rows from here on did not fit into memory
  ReaderNotes notes;
  ReadCost cost;

  std::string_view name(const Event& event) const { return strings.text(event.name); }
  const Track& track(const Event& event) const { return tracks[event.track]; }
  const KernelDetail* kernel(const Event& event) const;
  const CopyDetail* copy(const Event& event) const;
  const OpDetail* op(const Event& event) const;
  const SyncDetail* sync(const Event& event) const;

  /// True when any row is of this category.
  bool has(Category category) const;
  /// Memory held by all tables, bytes.
  std::size_t bytes() const;
};

}  // namespace tune::profile
