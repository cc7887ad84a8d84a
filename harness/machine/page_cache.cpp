#include "machine/page_cache.h"

#include "base/clock.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace tune::machine {

namespace {

constexpr std::int64_t kMostFiles = 200;
constexpr std::int64_t kMostTimeNs = 50'000'000;
constexpr std::int64_t kMostBytes = 64 << 20;  // of one file: its beginning represents the rest

struct Pages {
  std::int64_t resident = 0, all = 0;
};

// For everybody else mincore() says that all pages are resident.
bool does_kernel_tell(int file, const struct stat& facts) {
  return facts.st_uid == geteuid() || geteuid() == 0 ||
         faccessat(file, "", W_OK, AT_EACCESS | AT_EMPTY_PATH) == 0;
}

Pages count_mapped(int file, std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    return {};
  }
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> flags((bytes + page - 1) / page);
  Pages pages;
  if (mincore(memory, bytes, flags.data()) == 0) {
    pages.all = static_cast<std::int64_t>(flags.size());
    pages.resident = std::count_if(
        flags.begin(), flags.end(), [](unsigned char flag) { return (flag & 1) != 0; });
  }
  munmap(memory, bytes);
  return pages;
}

int open_to_read(const std::filesystem::path& path) {
  // Non-blocking: a pipe would stop us.
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

bool is_regular(int file) {
  struct stat facts {};
  return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
}

Pages count_pages(const std::filesystem::path& path) {
  const int file = open_to_read(path);
  if (file == -1) {
    return {};
  }
  struct stat facts {};
  Pages pages;
  if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0 &&
      does_kernel_tell(file, facts)) {
    pages = count_mapped(
        file, static_cast<std::size_t>(std::min<std::int64_t>(facts.st_size, kMostBytes)));
  }
  close(file);
  return pages;
}

}  // namespace

std::optional<double> resident_ratio(
    std::int64_t count, const std::function<std::filesystem::path(std::int64_t index)>& path_of) {
  const std::int64_t start_ns = monotonic_ns();
  const std::int64_t files = std::min(count, kMostFiles);
  Pages sum;
  for (std::int64_t i = 0; i < files && monotonic_ns() - start_ns < kMostTimeNs; ++i) {
    const Pages pages = count_pages(path_of(i * count / files));
    sum.resident += pages.resident;
    sum.all += pages.all;
  }
  if (sum.all == 0) {
    return std::nullopt;
  }
  return static_cast<double>(sum.resident) / static_cast<double>(sum.all);
}

void drop_from_page_cache(const std::filesystem::path& path) {
  const int file = open_to_read(path);
  if (file == -1) {
    return;
  }
  if (is_regular(file) && fdatasync(file) == 0) {  // what is dirty is not dropped
    (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  }
  close(file);
}

void read_into_page_cache(const std::filesystem::path& path) {
  constexpr std::size_t kPart = 1 << 20;
  const int file = open_to_read(path);
  if (file == -1) {
    return;
  }
  std::vector<char> part(is_regular(file) ? kPart : 0);
  while (!part.empty() && read(file, part.data(), part.size()) > 0) {
  }
  close(file);
}

}  // namespace tune::machine
