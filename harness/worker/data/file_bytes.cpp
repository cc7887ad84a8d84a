#include "worker/data/file_bytes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
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
  // Non-blocking: opening a pipe without a writer must not hang the loader.
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
    if (got == 0) {  // shorter than a moment ago
      return "truncated" + place(size_, expected);
    }
    size_ += static_cast<std::size_t>(got);
  }
  return "";
}

namespace {

// Cameras append a little after the end; files with more than this are decoded completely.
constexpr std::size_t kTail = 4096;

struct Magic {
  std::string_view name, bytes;
};

constexpr std::array<Magic, 7> kOthers = {{{"a PNG", "\x89PNG"},
                                           {"a GIF", "GIF8"},
                                           {"a WebP", "RIFF"},
                                           {"a BMP", "BM"},
                                           {"a TIFF", {"II*\0", 4}},
                                           {"a TIFF", {"MM\0*", 4}},
                                           {"a JPEG 2000", {"\0\0\0\x0cjP", 6}}}};

bool starts_with(std::span<const std::uint8_t> file, std::string_view bytes) {
  return file.size() >= bytes.size() &&
         std::equal(bytes.begin(), bytes.end(), file.begin(), [](char a, std::uint8_t b) {
           return static_cast<std::uint8_t>(a) == b;
         });
}

std::string in_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += text.empty() ? "" : " ";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

std::string complaint_about_format(std::span<const std::uint8_t> file) {
  if (starts_with(file, "\xff\xd8\xff")) {
    return "";
  }
  for (const Magic& other : kOthers) {
    if (starts_with(file, other.bytes)) {
      return "is " + std::string(other.name);
    }
  }
  return "is not a JPEG (begins with " + in_hex(file.first(std::min<std::size_t>(4, file.size()))) +
         ")";
}

bool ends_with_marker(std::span<const std::uint8_t> file) {
  const auto tail = file.last(std::min(kTail, file.size()));
  constexpr std::array<std::uint8_t, 2> kEndOfImage = {0xff, 0xd9};
  return std::search(tail.begin(), tail.end(), kEndOfImage.begin(), kEndOfImage.end()) !=
         tail.end();
}

}  // namespace tune::worker
