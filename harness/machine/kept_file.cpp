#include "machine/kept_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace tune::machine {

KeptFile::KeptFile(const std::filesystem::path& path)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}

KeptFile::KeptFile(KeptFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)), text_(other.text_) {}

KeptFile::~KeptFile() {
  if (file_ >= 0) {
    close(file_);
  }
}

std::string_view KeptFile::read() {
  ssize_t got = -1;
  do {
    got = pread(file_, text_.data(), text_.size(), 0);
  } while (got < 0 && errno == EINTR);
  return {text_.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

}  // namespace tune::machine
