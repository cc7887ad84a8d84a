#include "worker/script/note_ring.h"

#include "base/error.h"
#include "base/retry.h"

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

std::size_t size_of(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode)
             ? static_cast<std::size_t>(status.st_size)
             : 0;
}

}  // namespace

NoteRing::NoteRing(const std::filesystem::path& path) : where_(path.filename().string()) {
  file_ = retried([&] { return open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); });
  if (file_ < 0) {
    throw_failed_call(path, "cannot be opened", errno);
  }
  try {
    map(path);
    header_ = parse_ring_header(std::span(bytes_, size_), where_);
    reader_.emplace(std::span(bytes_, size_), header_, where_);
  } catch (...) {
    give_back();
    throw;
  }
}

NoteRing::~NoteRing() {
  give_back();
}

void NoteRing::map(const std::filesystem::path& path) {
  size_ = size_of(file_);
  if (size_ == 0) {
    throw Error(Error::Parts{.where = where_, .problem = "is not a file of notes"});
  }
  void* const mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (mapped == MAP_FAILED) {
    throw_failed_call(path, "cannot be mapped", errno);
  }
  bytes_ = static_cast<std::byte*>(mapped);
}

void NoteRing::give_back() {
  if (bytes_ != nullptr) {
    munmap(bytes_, size_);
  }
  close(file_);
}

// A page that is no longer behind the map would end us by SIGBUS.
void NoteRing::check_size() const {
  if (size_of(file_) != size_) {
    throw Error(Error::Parts{.where = where_, .problem = "was cut while it was read"});
  }
}

std::vector<Note> NoteRing::take() {
  check_size();
  std::vector<Note> notes;
  const std::int64_t begun = load(bytes_, kBegunAt);
  if (begun - segment_ > header_.capacity / header_.segment) {
    throw Error(Error::Parts{.where = where_, .problem = "has more segments begun than it holds"});
  }
  while (segment_ < begun) {
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
  check_size();
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
