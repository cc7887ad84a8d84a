#include "worker/script/note_ring.h"

#include "base/error.h"
#include "sample_ring.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tune::script {
namespace {

// A file that the test writes as the agent would, while a NoteRing has it mapped.
class RingFile {
 public:
  explicit RingFile(SampleRing ring) : ring_(std::move(ring)) { write(); }
  ~RingFile() { std::filesystem::remove(path_); }
  RingFile(const RingFile&) = delete;
  RingFile& operator=(const RingFile&) = delete;

  void add(std::int64_t moment_ns) {
    ring_.add({.kind = NoteKind::ask, .moment_ns = moment_ns});
    write();
  }
  std::int64_t word(std::size_t at) const {
    std::ifstream in(path_, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(at));
    std::int64_t number = 0;
    in.read(reinterpret_cast<char*>(&number), sizeof number);
    return number;
  }
  const std::filesystem::path& path() const { return path_; }
  SampleRing& ring() { return ring_; }

  // What the reader has written stays as it is.
  void write() {
    const auto& bytes = ring_.bytes();
    std::fstream out(path_, std::ios::binary | std::ios::in | std::ios::out);
    if (!out) {
      out.open(path_, std::ios::binary | std::ios::out);
    }
    put(out, bytes, 0, 2'048);
    if (first_) {
      put(out, bytes, 2'048, kPageBytes);
    }
    put(out, bytes, kPageBytes, bytes.size());
    first_ = false;
  }

 private:
  static void put(std::ostream& out,
                  const std::vector<std::byte>& bytes,
                  std::size_t from,
                  std::size_t to) {
    out.seekp(static_cast<std::streamoff>(from));
    out.write(reinterpret_cast<const char*>(bytes.data()) + from,
              static_cast<std::streamsize>(to - from));
  }

  SampleRing ring_;
  bool first_ = true;
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("notes-" + std::to_string(getpid()) + "-" +
                                 testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST(NoteRing, NotesComeOnceAndSegmentsAreGivenBack) {
  RingFile file{SampleRing(2)};
  NoteRing ring(file.path());
  EXPECT_EQ(ring.rank(), 3);
  EXPECT_TRUE(ring.take().empty());
  for (std::int64_t i = 0; i < 3; ++i) {
    file.add(2'000 + i);
  }
  EXPECT_EQ(ring.take().size(), 3U);
  EXPECT_TRUE(ring.take().empty());
  EXPECT_EQ(file.word(2'112), 0);
  for (std::int64_t i = 3; i < 6; ++i) {
    file.add(2'000 + i);
  }
  const auto notes = ring.take();
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_EQ(notes.back().moment_ns, 2'005);
  EXPECT_EQ(file.word(2'112), 1) << "the first segment may be written over";
  for (std::int64_t i = 6; i < 11; ++i) {
    file.add(2'000 + i);
  }
  EXPECT_EQ(ring.take().size(), 5U) << "two of them in the next lap";
}

TEST(NoteRing, CommandsReachTheAgent) {
  RingFile file{SampleRing(2)};
  NoteRing ring(file.path());
  EXPECT_TRUE(ring.is_obeyed());
  ring.send(Command::end, 70);
  EXPECT_EQ(file.word(2'048), 3);
  EXPECT_EQ(file.word(2'056), 70);
  EXPECT_FALSE(ring.is_obeyed());
}

TEST(NoteRing, WhatIsNoRingIsRefused) {
  EXPECT_THROW(NoteRing("/nonexistent/notes.0"), Error);
  SampleRing other(2);
  other.put<std::uint32_t>(8, 9);
  RingFile file{other};
  EXPECT_THROW(NoteRing(file.path()), Error);
}

}  // namespace
}  // namespace tune::script
