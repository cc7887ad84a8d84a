#pragma once

#include "worker/script/note.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tune::script {

/// A file of notes by hand: `segments` of four records, written one after the other, over and over.
class SampleRing {
 public:
  static constexpr std::int64_t kSegment = 4;

  explicit SampleRing(std::int64_t segments)
      : bytes_(kPageBytes + static_cast<std::size_t>(segments * kSegment) * kRecordBytes),
        segments_(segments) {
    std::memcpy(bytes_.data(), "tunenote", 8);
    put<std::uint32_t>(8, 1);
    put<std::uint32_t>(12, 4096);
    put<std::uint32_t>(16, 16);
    put<std::uint32_t>(20, 3);
    put<std::int64_t>(24, segments * kSegment);
    put<std::int64_t>(32, kSegment);
    put<std::int64_t>(40, 4711);
    put<std::int64_t>(48, 1'000);
  }

  void add(const Note& note) {
    const std::int64_t segment = count_ / kSegment;
    const std::int64_t first = segment % segments_ * kSegment;
    if (count_ % kSegment == 0) {
      std::memset(record(first), 0, static_cast<std::size_t>(kSegment) * kRecordBytes);
      put<std::int64_t>(64, segment + 1);
    }
    std::byte* const at = record(first + count_ % kSegment);
    at[0] = static_cast<std::byte>(note.kind);
    at[1] = static_cast<std::byte>(note.flags);
    std::memcpy(at + 2, &note.subject, 2);
    std::memcpy(at + 4, &note.number, 4);
    std::memcpy(at + 8, &note.moment_ns, 8);
    ++count_;
  }

  template <class Number>
  void put(std::size_t at, Number number) {
    std::memcpy(bytes_.data() + at, &number, sizeof number);
  }

  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::byte* record(std::int64_t number) {
    return bytes_.data() + kPageBytes + static_cast<std::size_t>(number) * kRecordBytes;
  }

  std::vector<std::byte> bytes_;
  std::int64_t segments_, count_ = 0;
};

}  // namespace tune::script
