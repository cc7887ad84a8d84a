#include "machine/probe/disk_speed.h"

#include "machine/probe/timed_calls.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/statvfs.h>
#include <unistd.h>

namespace tune::probe {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kSequentialBlock = kMiB, kRandomBlock = 128 << 10;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Block = std::unique_ptr<void, Free>;

Block aligned_block(std::int64_t bytes) {
  constexpr std::size_t kAlignment = 4096;  // O_DIRECT needs the alignment of the disk's blocks
  return Block(std::aligned_alloc(kAlignment, static_cast<std::size_t>(bytes)));
}

// A file that nobody else sees: its name is removed once it is open.
class ScratchFile {
 public:
  ScratchFile(const fs::path& folder, std::int64_t bytes) : bytes_(bytes) {
    std::string name = (folder / "probe-XXXXXX").string();
    const int writer = mkostemp(name.data(), O_CLOEXEC);
    if (writer < 0) {
      problem_ = folder.string() + ": no file can be made: " + std::strerror(errno);
      return;
    }
    if (!fill(writer)) {
      problem_ = folder.string() + ": " + std::strerror(errno);
    } else {
      reader_ = open(name.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
      if (reader_ < 0) {
        problem_ = folder.string() + ": this file system cannot bypass the page cache (" +
                   std::strerror(errno) + ")";
      }
    }
    unlink(name.c_str());
    close(writer);
  }
  ~ScratchFile() {
    if (reader_ >= 0) {
      close(reader_);
    }
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& problem() const { return problem_; }
  std::int64_t bytes() const { return bytes_; }

  void read(void* block, std::int64_t size, std::int64_t offset) {
    if (pread(reader_, block, static_cast<std::size_t>(size), offset) != size) {
      problem_ = std::string("reading failed: ") + std::strerror(errno);
    }
  }

 private:
  // Bytes that no file system can skip or compress.
  bool fill(int writer) const {
    const Block block = aligned_block(kMiB);
    auto* const words = static_cast<std::uint64_t*>(block.get());
    std::uint64_t state = 88'172'645'463'325'252U;
    for (std::int64_t at = 0; words != nullptr && at < bytes_; at += kMiB) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(kMiB) / sizeof(*words); ++i) {
        state ^= state << 13;  // xorshift64, Marsaglia 2003
        state ^= state >> 7;
        state ^= state << 17;
        words[i] = state;
      }
      if (write(writer, words, static_cast<std::size_t>(kMiB)) != kMiB) {
        return false;
      }
    }
    return words != nullptr && fsync(writer) == 0;
  }

  std::int64_t bytes_;
  int reader_ = -1;
  std::string problem_;
};

// At most a tenth of the free space.
std::int64_t file_bytes(const fs::path& folder, const Effort& effort) {
  struct statvfs facts {};
  const std::int64_t wanted = (effort.is_quick ? 16 : 256) * kMiB;
  if (statvfs(folder.c_str(), &facts) != 0) {
    return wanted;
  }
  const auto free_bytes = static_cast<double>(facts.f_bavail) * static_cast<double>(facts.f_frsize);
  const auto most = static_cast<std::int64_t>(free_bytes / 10 / kMiB);
  return std::clamp<std::int64_t>(most * kMiB, kMiB, wanted);
}

std::vector<double> rates(std::vector<double> seconds, std::int64_t bytes) {
  for (double& value : seconds) {
    value = static_cast<double>(bytes) / value;
  }
  return seconds;
}

Number sequential(ScratchFile& file, Number number, const Effort& effort) {
  const Block block = aligned_block(kSequentialBlock);
  const std::int64_t piece = std::min(file.bytes(), 32 * kMiB);
  std::int64_t at = 0;
  const auto read_piece = [&] {
    at = at + piece > file.bytes() ? 0 : at;
    for (std::int64_t end = at + piece; at < end; at += kSequentialBlock) {
      file.read(block.get(), std::min(kSequentialBlock, file.bytes() - at), at);
    }
  };
  const auto seconds =
      seconds_per_call({.work = read_piece, .repetitions = effort.is_quick ? 3 : 8, .least_s = 0});
  return of_samples(std::move(number), rates(seconds, piece));
}

Number random(ScratchFile& file, Number number, const Effort& effort) {
  const Block block = aligned_block(kRandomBlock);
  constexpr std::int64_t kReads = 64;
  const std::int64_t blocks = file.bytes() / kRandomBlock;
  std::uint64_t state = 1;
  const auto read_some = [&] {
    for (std::int64_t i = 0; i < kReads; ++i) {
      state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;  // Knuth's MMIX
      const auto index =
          static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(blocks));
      file.read(block.get(), kRandomBlock, index * kRandomBlock);
    }
  };
  const auto seconds =
      seconds_per_call({.work = read_some, .repetitions = effort.is_quick ? 3 : 8, .least_s = 0});
  return of_samples(std::move(number), rates(seconds, kReads * kRandomBlock));
}

}  // namespace

std::vector<Number> disk_speed(const fs::path& folder, const Effort& effort) {
  std::vector<Number> numbers = {{"disk_read_rate", "1 MiB in a row", "B/s"},
                                 {"disk_read_rate", "128 KiB anywhere", "B/s"}};
  std::string problem = why_too_late(effort);
  if (problem.empty()) {
    ScratchFile file(folder, file_bytes(folder, effort));
    if (file.problem().empty()) {
      numbers[0] = sequential(file, numbers[0], effort);
      numbers[1] = random(file, numbers[1], effort);
    }
    problem = file.problem();
  }
  if (!problem.empty()) {
    for (Number& number : numbers) {
      number = not_measured({number.id, number.label, number.unit}, problem);
    }
  }
  return numbers;
}

}  // namespace tune::probe
