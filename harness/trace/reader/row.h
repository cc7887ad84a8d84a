#pragma once

#include "trace/event.h"
#include "trace/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tune::profile {

/// Members of `args` that some definition needs; names in row.cpp.
enum class Argument : std::uint8_t {
  // Names and labels of metadata rows.
  name,
  labels,
  // What joins rows.
  external_id,
  correlation,
  device,
  stream,
  // Kernels.
  grid,
  block,
  blocks_per_sm,
  warps_per_sm,
  occupancy,
  registers,
  shared_memory,
  graph_node,
  // Copies.
  bytes,
  // Synchronisation.
  wait_on_stream,
  wait_on_record_correlation,
  wait_on_event,
  // Operators.
  input_dims,
  input_types,
  input_strides,
  concrete_inputs,
  sequence_number,
  forward_thread,
  module_hierarchy,
  call_stack,
  // Python frames.
  python_id,
  python_parent,
  python_module,
  // Memory events.
  device_type,
  device_id,
  address,
  memory_bytes,
  total_allocated,
  total_reserved,
  // Collectives.
  collective_name,
  dtype,
  elements_in,
  elements_out,
  group_size,
  group_name,
  group_description,
  group_ranks,
  source_rank,
  target_rank,
  sequence,
  count  ///< how many there are
};
constexpr std::size_t kArguments = static_cast<std::size_t>(Argument::count);

/// Members of a row itself.
enum class Member : std::uint8_t {
  phase,
  category,
  name,
  process,
  thread,
  start,
  duration,
  args,
  none
};

Member member_of(std::string_view key);
/// Argument::count for a key that nobody needs.
Argument argument_of(std::string_view key);

/// One element of traceEvents, as pieces of its text. Texts are without their quotes, with their
/// escapes; arrays and objects are whole. What a row does not have is empty.
struct Row {
  std::int64_t offset = 0;  ///< byte of the JSON text
  std::string_view phase, category, name, process, thread, start, duration;

  std::string_view argument(Argument which) const {
    return arguments_[static_cast<std::size_t>(which)];
  }
  bool has(Argument which) const { return !argument(which).empty(); }
  void set(Argument which, std::string_view text) {
    arguments_[static_cast<std::size_t>(which)] = text;
  }

 private:
  std::array<std::string_view, kArguments> arguments_{};
};

/// Whether a Python frame is read although nobody asked for all of them: the collector's, and those
/// of 1 ms or more, which tell what the host did where no operator ran.
bool is_kept_frame(const Row& row);

/// The text with its escapes resolved; `buffer` holds it where there were any. Lone surrogates
/// become U+FFFD.
std::string_view unescaped(std::string_view text, std::string& buffer);

/// The array or object without white space outside of its texts.
std::string_view compact(std::string_view json, std::string& buffer);

/// Numbers in the pieces of a row. An empty piece is unknown; a piece that is not a number, or does
/// not fit, is unknown too and noted with the row's place.
struct RowNumbers {
  ReaderNotes& notes;
  std::int64_t offset = 0;

  /// Decimal, or hexadecimal with 0x as ROCm writes streams.
  std::int64_t integer(std::string_view piece, std::int64_t unknown);
  /// NaN when unknown.
  double ratio(std::string_view piece);
  /// [x, y, z]; -1 where unknown.
  std::array<std::int32_t, 3> triple(std::string_view piece);
};

}  // namespace tune::profile
