#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tune::profile {

/// Everything that reading a trace left out or put right. Each kind is counted and printed: a
/// number from a trace is worth what is known about the rows that it does not see.
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
  // Rows that were read after something in them was put right.
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
  /// A sentence for the user that is no count: "the file ends within a row at byte 7".
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

}  // namespace tune::profile
