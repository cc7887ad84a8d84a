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

class Descriptor {
 public:
  // Not blocking: opening a pipe that nobody writes to must not hang the loader.
  explicit Descriptor(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
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
      return describe(error);
    }
    if (got == 0) {  // shorter than it was a moment ago; the decoder judges what is there
      break;
    }
    size_ += static_cast<std::size_t>(got);
  }
  return size_ == 0 ? "0 bytes" : "";
}

}  // namespace tune::worker
