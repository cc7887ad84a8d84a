#include "measure/runner/output_log.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace tune::runner {

namespace {

constexpr std::size_t kTailBytes = 2048;

}  // namespace

std::string printable(std::string_view text) {
  return tune::printable(text, "?");
}

OutputLog::OutputLog(const std::filesystem::path& file, std::int64_t limit_bytes)
    : file_(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)),
      limit_bytes_(limit_bytes) {
  if (file_ < 0) {
    throw_failed_call(file, "cannot be written", errno);
  }
}

OutputLog::~OutputLog() {
  close(file_);
}

// A full disk must not end the campaign for the sake of a log.
void OutputLog::write_out(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t put = write(file_, text.data(), text.size());
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

void OutputLog::add(std::string_view text) {
  const auto room = static_cast<std::size_t>(std::max<std::int64_t>(0, limit_bytes_ - kept_bytes_));
  const std::string_view kept = text.substr(0, room);
  write_out(kept);
  kept_bytes_ += static_cast<std::int64_t>(kept.size());
  left_out_bytes_ += static_cast<std::int64_t>(text.size() - kept.size());

  // The old tail stays in front, so that words split between two reads are found.
  tail_ += text;
  static constexpr std::array<std::string_view, 3> kSigns = {
      "std::bad_alloc", "can't allocate memory", "CUDA out of memory"};
  wanted_memory_ =
      wanted_memory_ || std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
        return tail_.find(sign) != std::string::npos;
      });
  if (tail_.size() > kTailBytes) {
    tail_.erase(0, tail_.size() - kTailBytes);
  }
}

void OutputLog::finish() {
  if (left_out_bytes_ == 0) {
    return;
  }
  const auto shown = std::min(static_cast<std::int64_t>(tail_.size()), left_out_bytes_);
  write_out("\n[tune: the limit of " + std::to_string(limit_bytes_) + " bytes is reached; " +
            std::to_string(left_out_bytes_ - shown) + " bytes are left out; the last ones:]\n" +
            tail_.substr(tail_.size() - static_cast<std::size_t>(shown)));
  left_out_bytes_ = 0;
}

std::string OutputLog::tail() const {
  return printable(tail_);
}

}  // namespace tune::runner
