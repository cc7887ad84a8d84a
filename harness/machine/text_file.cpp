#include "machine/text_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace tune::machine {

std::string read_text(const std::filesystem::path& path, std::size_t limit_bytes) {
  std::string text;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) {
    return text;
  }
  constexpr std::size_t kBlock = 1 << 14;
  while (text.size() < limit_bytes) {
    const std::size_t filled = text.size();
    text.resize(filled + std::min(kBlock, limit_bytes - filled));
    const ssize_t got = read(file, text.data() + filled, text.size() - filled);
    text.resize(filled + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got == 0 || (got < 0 && errno != EINTR)) {
      break;
    }
  }
  close(file);
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view value_of(std::string_view text, std::string_view key, char separator) {
  for (const std::string_view line : lines_of(text)) {
    const std::size_t at = line.find(separator);
    if (at != std::string_view::npos && trimmed(line.substr(0, at)) == key) {
      return trimmed(line.substr(at + 1));
    }
  }
  return {};
}

std::string_view word_in_brackets(std::string_view text) {
  const std::size_t begin = text.find('[');
  const std::size_t end = text.find(']', begin == std::string_view::npos ? 0 : begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    return {};
  }
  return trimmed(text.substr(begin + 1, end - begin - 1));
}

std::optional<std::int64_t> to_number(std::string_view text) {
  text = trimmed(text);
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number < 0) {
    return std::nullopt;
  }
  return number;
}

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
