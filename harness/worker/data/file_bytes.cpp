#include "worker/data/file_bytes.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tune::worker {

namespace {

constexpr std::int64_t kMaxBytes = 256 << 20;

std::string describe(int error) {
  return std::generic_category().message(error);
}

std::string place(std::size_t at, std::size_t all) {
  return " at byte " + std::to_string(at) + " of " + std::to_string(all);
}

class Descriptor {
 public:
  // Not blocking: opening a pipe that nobody writes to must not hang the loader.
  explicit Descriptor(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::string FileBytes::read(const std::string& path) {
  int error = 0;
  std::string problem = read_once(path, error);
  if (error == EIO) {
    problem = read_once(path, error);
  }
  return problem;
}

std::string FileBytes::read_once(const std::string& path, int& error) {
  size_ = 0;
  error = 0;
  const Descriptor file(path);
  struct stat facts {};
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0) {
    error = errno;
    return describe(error);
  }
  if (!S_ISREG(facts.st_mode)) {
    return "not a regular file";
  }
  if (facts.st_size == 0) {
    return "0 bytes";
  }
  if (facts.st_size > kMaxBytes) {
    return "larger than 256 MiB";
  }
  const auto expected = static_cast<std::size_t>(facts.st_size);
  std::uint8_t* const buffer = buffer_.at_least(expected);
  while (size_ < expected) {
    const ssize_t got = ::read(file.get(), buffer + size_, expected - size_);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      error = errno;
      return describe(error) + place(size_, expected);
    }
    if (got == 0) {  // shorter than it was a moment ago
      return "truncated" + place(size_, expected);
    }
    size_ += static_cast<std::size_t>(got);
  }
  return "";
}

}  // namespace tune::worker
