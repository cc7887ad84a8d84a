#include "worker/script/read_notes.h"

#include "base/error.h"
#include "sample_ring.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace tune::script {
namespace {

Note asked(std::int64_t moment_ns) {
  return {.kind = NoteKind::ask, .subject = 2, .number = -1, .moment_ns = moment_ns};
}

SampleRing ring_of(std::int64_t segments, std::int64_t notes) {
  SampleRing ring(segments);
  for (std::int64_t i = 0; i < notes; ++i) {
    ring.add(asked(2'000 + i));
  }
  return ring;
}

std::string complaint_after(const std::function<void(SampleRing&)>& change) {
  SampleRing ring = ring_of(3, 6);
  change(ring);
  try {
    parse_notes(ring.bytes(), "notes.0");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadNotes, HeaderAndEveryFieldOfANote) {
  SampleRing ring = ring_of(3, 2);
  ring.add({.kind = NoteKind::got, .flags = 1, .subject = 7, .number = 64, .moment_ns = 5'000});
  const Notes read = parse_notes(ring.bytes(), "notes.0");
  EXPECT_EQ(read.header.rank, 3);
  EXPECT_EQ(read.header.process, 4711);
  EXPECT_EQ(read.header.capacity, 12);
  EXPECT_EQ(read.header.begun, 1);
  ASSERT_EQ(read.notes.size(), 3U);
  EXPECT_EQ(read.notes[0], asked(2'000));
  EXPECT_EQ(read.notes[2].kind, NoteKind::got);
  EXPECT_TRUE(read.notes[2].with_gradients());
  EXPECT_EQ(read.notes[2].number, 64);
}

TEST(ReadNotes, ARingWithoutANoteIsEmpty) {
  EXPECT_TRUE(parse_notes(ring_of(3, 0).bytes(), "notes.0").notes.empty());
}

TEST(ReadNotes, BeginsWithTheOldestSegmentThatIsLeft) {
  SampleRing ring = ring_of(3, 4 * 5 + 2);  // segments 3, 4 and the half of 5
  const Notes read = parse_notes(ring.bytes(), "notes.0");
  ASSERT_EQ(read.notes.size(), 10U);
  EXPECT_EQ(read.notes.front().moment_ns, 2'000 + 12);
  EXPECT_EQ(read.notes.back().moment_ns, 2'000 + 21);
}

TEST(ReadNotes, AProcessThatWasKilledWhileItWroteLeavesTheNotesBefore) {
  SampleRing ring = ring_of(3, 6);
  const std::size_t sixth = kPageBytes + 5 * kRecordBytes;
  ring.put<std::int64_t>(sixth + 8, 0);  // the moment comes last
  EXPECT_EQ(parse_notes(ring.bytes(), "notes.0").notes.size(), 5U);
}

TEST(ReadNotes, WhatIsNoRingIsRefusedByName) {
  EXPECT_EQ(complaint_after([](SampleRing& ring) { ring.bytes().resize(100); }),
            "notes.0: is not a file of notes");
  EXPECT_EQ(complaint_after([](SampleRing& ring) { ring.put<char>(0, 'T'); }),
            "notes.0: is not a file of notes");
  EXPECT_EQ(complaint_after([](SampleRing& ring) { ring.put<std::uint32_t>(8, 2); }),
            "notes.0: has version 2, this tune reads 1");
  EXPECT_EQ(complaint_after([](SampleRing& ring) { ring.put<std::uint32_t>(16, 24); }),
            "notes.0: has pages or records of another size");
  EXPECT_EQ(complaint_after([](SampleRing& ring) { ring.put<std::int64_t>(24, 16); }),
            "notes.0: has 4288 bytes instead of 4352");
  EXPECT_EQ(
      complaint_after([](SampleRing& ring) { ring.put<std::int64_t>(24, std::int64_t{1} << 60); }),
      "notes.0: the ring's size is out of range: 1152921504606846976");
  EXPECT_EQ(complaint_after([](SampleRing& ring) { ring.put<std::int64_t>(32, 0); }),
            "notes.0: has a ring that is not whole segments");
  EXPECT_EQ(complaint_after([](SampleRing& ring) { ring.put<std::int64_t>(64, -1); }),
            "notes.0: the number of segments is out of range: -1");
  EXPECT_EQ(complaint_after([](SampleRing& ring) { ring.put<std::int64_t>(2112, 9); }),
            "notes.0: has more segments taken than begun");
}

TEST(ReadNotes, ANoteThatCannotBeIsRefusedByItsNumber) {
  const std::size_t third = kPageBytes + 2 * kRecordBytes;
  EXPECT_EQ(complaint_after([&](SampleRing& ring) { ring.put<std::uint8_t>(third, 99); }),
            "notes.0: note 2 is of no known kind: 99");
  EXPECT_EQ(complaint_after([&](SampleRing& ring) { ring.put<std::uint8_t>(third + 1, 2); }),
            "notes.0: note 2 is of no known kind: 1");
  EXPECT_EQ(complaint_after([&](SampleRing& ring) { ring.put<std::int64_t>(third + 8, 1'999); }),
            "notes.0: note 2 is older than the one before");
  EXPECT_EQ(
      complaint_after([&](SampleRing& ring) { ring.put<std::int64_t>(third + 8, INT64_MAX); }),
      "notes.0: note 2 was taken at an impossible moment");
}

// More segments begun than were written: the process was killed in between.
TEST(ReadNotes, ASegmentThatWasOnlyBegunIsEmpty) {
  SampleRing ring = ring_of(3, 4);
  ring.put<std::int64_t>(64, 2);
  EXPECT_EQ(parse_notes(ring.bytes(), "notes.0").notes.size(), 4U);
}

}  // namespace
}  // namespace tune::script
