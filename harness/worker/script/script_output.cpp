#include "worker/script/script_output.h"

#include "base/error.h"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <poll.h>
#include <regex>
#include <unistd.h>

namespace tune::script {

namespace {

constexpr int kPipeBytes = 1 << 20;  // a script that prints much must not wait for us
constexpr std::size_t kLongestLine = 4096;

std::regex expression_of(const std::string& line) {
  try {
    return std::regex(line);
  } catch (const std::regex_error&) {
    throw Error(Error::Parts{"stop", "is not a regular expression", "is '" + line + "'", ""});
  }
}

// Whoever reads our output may be slow, never gone: then we are ended.
void pass_on(const char* text, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = write(STDOUT_FILENO, text, bytes);
    if (written < 0 && errno == EAGAIN) {
      pollfd room = {STDOUT_FILENO, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (written < 0 && errno != EINTR) {
      return;
    } else if (written > 0) {
      text += written;
      bytes -= static_cast<std::size_t>(written);
    }
  }
}

}  // namespace

struct ScriptOutput::Line {
  std::regex expression;
};

ScriptOutput::ScriptOutput(const std::string& line) {
  if (line.empty()) {
    return;
  }
  wanted_ = std::make_unique<Line>(Line{expression_of(line)});
  if (pipe2(pipe_.data(), O_CLOEXEC) != 0) {
    throw_failed_call("the script", "cannot be given an output", errno);
  }
  fcntl(pipe_[0], F_SETFL, O_NONBLOCK);
  fcntl(pipe_[1], F_SETPIPE_SZ, kPipeBytes);
}

ScriptOutput::~ScriptOutput() {
  for (const int end : pipe_) {
    if (end >= 0) {
      close(end);
    }
  }
}

bool ScriptOutput::take() {
  std::array<char, 1 << 16> text;
  while (pipe_[0] >= 0) {
    const ssize_t bytes = read(pipe_[0], text.data(), text.size());
    if (bytes == 0 || (bytes < 0 && errno != EINTR)) {
      break;
    }
    if (bytes > 0) {
      pass_on(text.data(), static_cast<std::size_t>(bytes));
      look_at(text.data(), static_cast<std::size_t>(bytes));
    }
  }
  return is_found_;
}

// Bars of progress begin their line again.
void ScriptOutput::look_at(const char* text, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes && !is_found_; ++i) {
    if (text[i] == '\n' || text[i] == '\r') {
      is_found_ = std::regex_search(begun_, wanted_->expression);
      begun_.clear();
    } else if (begun_.size() < kLongestLine) {
      begun_ += text[i];
    }
  }
}

}  // namespace tune::script
