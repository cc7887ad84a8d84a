#pragma once

#include "trace/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::profile {

/// Everything that reading a trace left out or repaired. Each kind is counted and printed: how far
/// a number from a trace can be trusted depends on the rows that it does not see.
enum class NoteKind : std::uint8_t {
  // Rows that were left out because they cannot be used.
  unreadable_row,
  not_an_object,
  row_without_time,
  negative_duration,
  impossible_duration,
  zero_time,
  begin_without_end,
  end_without_begin,
  beyond_memory_limit,
  // Rows that were read after something in them was repaired.
  control_character,
  invalid_utf8,
  unescaped_quote,
  wrong_escape,
  not_a_number,
  beyond_int64,
  missing_duration,
  truncated_tail,
  // Rows that no definition needs, or that were not asked for.
  python_function,
  call_stack,
  flow,
  counter,
  async,
  instant,
  unknown_phase,
  header_value
};
constexpr std::size_t kNoteKinds = static_cast<std::size_t>(NoteKind::header_value) + 1;

enum class NoteClass { dropped, repaired, skipped };

/// What a kind is called in result.json: "impossible-duration".
std::string_view note_name(NoteKind kind);
/// What it means, as a clause: "rows whose duration is longer than the trace".
std::string_view note_text(NoteKind kind);
NoteClass note_class(NoteKind kind);

/// How often, and where first.
struct Note {
  std::int64_t count = 0;
  std::int64_t first_offset = -1;  ///< byte of the JSON text; -1 when it has none
};

class ReaderNotes {
 public:
  void add(NoteKind kind, std::int64_t offset, std::int64_t count = 1);
  /// A row whose category has no part in any definition. Of more than 256 of them the rest counts
  /// as "(others)", and of each name 64 bytes are kept.
  void add_category(std::string_view category);
  /// A sentence for the user that is not a count: "the file ends within a row at byte 7".
  void warn(std::string sentence) { warnings_.push_back(std::move(sentence)); }

  const Note& of(NoteKind kind) const { return notes_[static_cast<std::size_t>(kind)]; }
  std::int64_t total(NoteClass of_class) const;
  /// Categories that no definition uses, with their rows.
  const std::map<std::string, std::int64_t>& other_categories() const { return categories_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::array<Note, kNoteKinds> notes_{};
  std::map<std::string, std::int64_t> categories_;
  std::vector<std::string> warnings_;
};

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
  std::map<std::string, std::string> metadata;  ///< scalars next to traceEvents, as written
  RankInfo rank;
  std::int64_t base_time_ns = 0;              ///< unix time of 0 in start_ns
  std::optional<std::int64_t> window_end_ns;  ///< "Record Window End"
  std::optional<std::int64_t> cut_at_ns;      ///< rows from here on did not fit into memory
  ReaderNotes notes;
  std::int64_t xla_rows = 0;  ///< rows of devices that XLA has written
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
