#include "machine/kept_text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace tune::machine {

KeptText::KeptText(std::filesystem::path path, std::size_t limit_bytes)
    : path_(std::move(path)),
      limit_bytes_(limit_bytes),
      file_(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)),
      error_(file_ < 0 ? errno : 0) {}

KeptText::KeptText(KeptText&& other) noexcept
    : path_(std::move(other.path_)),
      limit_bytes_(other.limit_bytes_),
      file_(std::exchange(other.file_, -1)),
      error_(other.error_),
      empty_(other.empty_),
      text_(std::move(other.text_)) {}

KeptText::~KeptText() {
  if (file_ >= 0) {
    close(file_);
  }
}

std::string_view KeptText::read() {
  constexpr std::size_t kBlock = 4096;
  std::size_t filled = 0;
  empty_ = false;
  while (file_ >= 0 && filled < limit_bytes_) {
    if (text_.size() - filled < kBlock) {
      text_.resize(std::min(filled + 4 * kBlock, limit_bytes_));
    }
    const ssize_t got =
        pread(file_, text_.data() + filled, text_.size() - filled, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    error_ = got < 0 ? errno : 0;
    if (got <= 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  empty_ = filled == 0 && error_ == 0;
  return {text_.data(), error_ == 0 ? filled : 0};
}

std::string KeptText::problem() const {
  if (error_ == 0 && !empty_) {
    return "";
  }
  return path_.string() + ": " + (empty_ ? "is empty" : std::strerror(error_));
}

}  // namespace tune::machine
