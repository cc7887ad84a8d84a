#include "worker/script/read_notes.h"

#include "base/error.h"
#include "base/file.h"

#include <algorithm>
#include <cstring>

namespace tune::script {

namespace {

constexpr std::string_view kMagic = "tunenote";
constexpr std::uint32_t kVersion = 1;
constexpr std::int64_t kMostRecords = std::int64_t{1} << 26;
constexpr std::int64_t kMostSegments = std::int64_t{1} << 40;
// A process may have noted something long before it trained, and may train for long.
constexpr std::int64_t kLongestNs = std::int64_t{90} * 86'400 * 1'000'000'000;

struct At {
  std::size_t rank = 20, capacity = 24, segment = 32, process = 40, made = 48, made_realtime = 56,
              begun = 64, dropped = 72, taken = 2112;
};

template <class Number>
Number number_at(std::span<const std::byte> bytes, std::size_t at) {
  Number number{};
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

[[noreturn]] void refuse(const std::string& where, const std::string& problem) {
  throw Error(Error::Parts{.where = where, .problem = problem});
}

std::int64_t whole_at(std::span<const std::byte> bytes,
                      std::size_t at,
                      std::int64_t most,
                      const char* what,
                      const std::string& where) {
  const auto number = number_at<std::int64_t>(bytes, at);
  if (number < 0 || number > most) {
    refuse(where, std::string(what) + " is out of range: " + std::to_string(number));
  }
  return number;
}

void check_format(std::span<const std::byte> bytes, const std::string& where) {
  if (bytes.size() < kPageBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    refuse(where, "is not a file of notes");
  }
  const auto version = number_at<std::uint32_t>(bytes, 8);
  if (version != kVersion) {
    refuse(where, "has version " + std::to_string(version) + ", this tune reads 1");
  }
  if (number_at<std::uint32_t>(bytes, 12) != kPageBytes ||
      number_at<std::uint32_t>(bytes, 16) != kRecordBytes) {
    refuse(where, "has pages or records of another size");
  }
}

Note note_at(std::span<const std::byte> bytes, std::size_t at) {
  return {.kind = static_cast<NoteKind>(bytes[at]),
          .flags = static_cast<std::uint8_t>(bytes[at + 1]),
          .subject = number_at<std::uint16_t>(bytes, at + 2),
          .number = number_at<std::int32_t>(bytes, at + 4),
          .moment_ns = number_at<std::int64_t>(bytes, at + 8)};
}

}  // namespace

RingHeader parse_ring_header(std::span<const std::byte> bytes, const std::string& where) {
  check_format(bytes, where);
  const At at;
  RingHeader header;
  header.rank = number_at<std::uint32_t>(bytes, at.rank);
  header.capacity = whole_at(bytes, at.capacity, kMostRecords, "the ring's size", where);
  header.segment = whole_at(bytes, at.segment, kMostRecords, "a segment's size", where);
  if (header.segment == 0 || header.capacity == 0 || header.capacity % header.segment != 0) {
    refuse(where, "has a ring that is not whole segments");
  }
  const auto expected = kPageBytes + static_cast<std::size_t>(header.capacity) * kRecordBytes;
  if (bytes.size() != expected) {
    refuse(where,
           "has " + std::to_string(bytes.size()) + " bytes instead of " + std::to_string(expected));
  }
  header.process = number_at<std::int64_t>(bytes, at.process);
  header.made_ns = whole_at(bytes, at.made, INT64_MAX / 2, "its moment", where);
  header.made_realtime_ns = number_at<std::int64_t>(bytes, at.made_realtime);
  header.begun = whole_at(bytes, at.begun, kMostSegments, "the number of segments", where);
  header.taken = whole_at(bytes, at.taken, kMostSegments, "the number of taken segments", where);
  header.dropped = whole_at(bytes, at.dropped, INT64_MAX / 2, "the number of lost notes", where);
  if (header.taken > header.begun) {
    refuse(where, "has more segments taken than begun");
  }
  return header;
}

void SegmentReader::check(const Note& note, std::int64_t number) const {
  const auto kind = static_cast<std::uint8_t>(note.kind);
  const std::string which = "note " + std::to_string(number);
  if (kind == 0 || kind > kLastKind || note.flags > 1) {
    refuse(where_, which + " is of no known kind: " + std::to_string(kind));
  }
  if (note.moment_ns < last_ns_) {
    refuse(where_, which + " is older than the one before");
  }
  if (note.moment_ns < header_.made_ns - kLongestNs ||
      note.moment_ns > header_.made_ns + kLongestNs) {
    refuse(where_, which + " was taken at an impossible moment");
  }
}

std::int64_t SegmentReader::read(std::int64_t segment,
                                 std::int64_t from,
                                 std::vector<Note>& notes) {
  const std::int64_t segments = header_.capacity / header_.segment;
  const std::int64_t first = segment % segments * header_.segment;
  std::int64_t count = 0;
  for (std::int64_t i = from; i < header_.segment; ++i, ++count) {
    const auto at = kPageBytes + static_cast<std::size_t>(first + i) * kRecordBytes;
    const Note note = note_at(bytes_, at);
    if (note.moment_ns == 0) {  // written last: there is no note yet, or half of one
      break;
    }
    check(note, segment * header_.segment + i);
    last_ns_ = note.moment_ns;
    notes.push_back(note);
  }
  return count;
}

Notes parse_notes(std::span<const std::byte> bytes, const std::string& where) {
  Notes result{.header = parse_ring_header(bytes, where), .notes = {}};
  const RingHeader& header = result.header;
  const std::int64_t segments = header.capacity / header.segment;
  SegmentReader reader(bytes, header, where);
  for (std::int64_t i = std::max<std::int64_t>(0, header.begun - segments); i < header.begun; ++i) {
    if (reader.read(i, 0, result.notes) < header.segment) {
      break;
    }
  }
  return result;
}

Notes read_notes(const std::filesystem::path& path) {
  const std::string text =
      read_file(path, static_cast<std::int64_t>(kPageBytes) + kMostRecords * 16);
  return parse_notes(std::as_bytes(std::span(text)), path.filename().string());
}

}  // namespace tune::script
