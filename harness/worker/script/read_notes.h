#pragma once

#include "worker/script/note.h"

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tune::script {

/// The first page. Throws tune::Error naming `where` when the bytes are no ring of this version, or
/// not as many as it says.
RingHeader parse_ring_header(std::span<const std::byte> bytes, const std::string& where);

/// All notes that are in the ring: from the oldest segment that has not been written over to the
/// first place without a note. The script may have been killed at any moment, and may have written
/// anything. Throws tune::Error naming `where` and the note that cannot be.
Notes parse_notes(std::span<const std::byte> bytes, const std::string& where);

/// Reads a ring segment by segment; each note is checked, also against the one before.
class SegmentReader {
 public:
  /// The bytes must outlive this.
  SegmentReader(std::span<const std::byte> bytes, RingHeader header, std::string where)
      : bytes_(bytes), header_(header), where_(std::move(where)) {}

  /// Appends the notes of a segment, counted over all laps, from its record `from` on; says how
  /// many there were. Throws tune::Error naming the note that cannot be.
  std::int64_t read(std::int64_t segment, std::int64_t from, std::vector<Note>& notes);

 private:
  void check(const Note& note, std::int64_t number) const;

  std::span<const std::byte> bytes_;
  RingHeader header_;
  std::string where_;
  std::int64_t last_ns_ = 0;  ///< the moment of the note before
};

/// The notes of a file whose process has ended. Throws as above, and as read_file() does.
Notes read_notes(const std::filesystem::path& path);

}  // namespace tune::script
