#include "worker/script/note_ring.h"

#include "base/error.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <span>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tune::script {

namespace {

constexpr std::size_t kBegunAt = 64, kDroppedAt = 72;
constexpr std::size_t kCommandAt = 2048, kNumberAt = 2056, kTakenAt = 2112;

// The agent writes from another process.
std::int64_t load(std::byte* bytes, std::size_t at) {
  return std::atomic_ref(*reinterpret_cast<std::int64_t*>(bytes + at))
      .load(std::memory_order_acquire);
}

void store(std::byte* bytes, std::size_t at, std::int64_t number) {
  std::atomic_ref(*reinterpret_cast<std::int64_t*>(bytes + at))
      .store(number, std::memory_order_release);
}

std::byte* map_file(const std::filesystem::path& path, std::size_t& size) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) {
    throw_failed_call(path, "cannot be opened", errno);
  }
  struct stat status {};
  void* mapped = MAP_FAILED;
  int reason = EINVAL;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    size = static_cast<std::size_t>(status.st_size);
    mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    reason = errno;
  }
  close(file);
  if (mapped == MAP_FAILED) {
    throw_failed_call(path, "cannot be mapped", reason);
  }
  return static_cast<std::byte*>(mapped);
}

}  // namespace

NoteRing::NoteRing(const std::filesystem::path& path) : where_(path.filename().string()) {
  bytes_ = map_file(path, size_);
  try {
    header_ = parse_ring_header(std::span(bytes_, size_), where_);
    reader_.emplace(std::span(bytes_, size_), header_, where_);
  } catch (...) {
    munmap(bytes_, size_);
    throw;
  }
}

NoteRing::~NoteRing() {
  munmap(bytes_, size_);
}

std::vector<Note> NoteRing::take() {
  std::vector<Note> notes;
  while (segment_ < load(bytes_, kBegunAt)) {
    const std::int64_t count = reader_->read(segment_, taken_, notes);
    taken_ += count;
    if (taken_ < header_.segment) {
      break;
    }
    taken_ = 0;
    store(bytes_, kTakenAt, ++segment_);
  }
  return notes;
}

void NoteRing::send(Command command, std::int64_t number) {
  store(bytes_, kNumberAt, number);
  std::atomic_ref(reinterpret_cast<std::uint8_t&>(bytes_[kCommandAt]))
      .store(static_cast<std::uint8_t>(command), std::memory_order_release);
}

bool NoteRing::is_obeyed() const {
  return std::atomic_ref(reinterpret_cast<std::uint8_t&>(bytes_[kCommandAt]))
             .load(std::memory_order_acquire) == 0;
}

std::int64_t NoteRing::dropped() const {
  return load(bytes_, kDroppedAt);
}

}  // namespace tune::script
