#include "cli/standard_streams.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/retry.h"
#include "scenario/scenario.h"
#include "trace/reader/read_trace.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tune::cli {

namespace {

constexpr const char* kName = "standard input";
constexpr std::int64_t kLongestScenario = 1 << 20;

// Through its path, as of any file: where that is a pipe, it can be read once.
std::unique_ptr<profile::ByteSource> open_standard_input() {
  return profile::decompressed(profile::open_file("/dev/stdin"), kName);
}

std::string read_standard_input() {
  const auto source = open_standard_input();
  std::array<char, 1 << 16> block{};
  std::string text;
  for (std::size_t size = 0; (size = source->read(block.data(), block.size())) > 0;) {
    text.append(block.data(), size);
    if (text.size() > kLongestScenario) {
      throw Error(Error::Parts{kName,
                               "is too large for a scenario",
                               "at most " + std::to_string(kLongestScenario) + " bytes",
                               ""});
    }
  }
  if (const std::string damage = source->damage(); !damage.empty()) {
    throw Error(Error::Parts{kName, "cannot be read to its end", damage, ""});
  }
  return text;
}

}  // namespace

bool is_standard_input(const std::filesystem::path& word) {
  return word == scenario::kStandardInput;
}

namespace {

// For standard input, which is read once, and for what tune itself has written.
std::map<std::string, std::string>& known_texts() {
  static std::map<std::string, std::string> texts;
  return texts;
}

}  // namespace

std::string scenario_text(const std::string& word) {
  auto& known = known_texts();
  if (const auto found = known.find(word); found != known.end()) {
    return found->second;
  }
  if (!is_standard_input(word)) {
    return read_file(word, kLongestScenario);
  }
  return known.emplace(word, read_standard_input()).first->second;
}

void set_scenario_text(const std::string& word, std::string text) {
  known_texts()[word] = std::move(text);
}

scenario::Scenario read_named_scenario(const std::string& word) {
  return is_standard_input(word) || known_texts().contains(word)
             ? scenario::read_scenario(scenario_text(word), word)
             : scenario::load_scenario(word);
}

profile::Timeline read_named_trace(const std::filesystem::path& word,
                                   const profile::ReadOptions& options) {
  return is_standard_input(word) ? profile::read_trace(open_standard_input(), kName, options)
                                 : profile::read_trace(word, options);
}

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) {
      continue;
    }
    // The lowest number that is free is this one, for those below are open by now. Not closed on
    // exec: a worker needs its streams too.
    const int held =
        stream == STDIN_FILENO ? open("/dev/null", O_RDONLY) : open("/dev/full", O_WRONLY);
    if (held < 0) {
      (void)open("/dev/null", O_RDONLY);  // refuses to be written as well
    }
  }
}

class MessagesWithoutWaiting::Buffer final : public std::streambuf {
 public:
  // A description of its own, for that of the shell is shared with others, who may want to wait.
  Buffer() {
    struct stat facts {};
    const bool is_pipe = fstat(STDERR_FILENO, &facts) == 0 && S_ISFIFO(facts.st_mode);
    is_socket_ = S_ISSOCK(facts.st_mode);
    if (is_pipe || isatty(STDERR_FILENO) == 1) {
      own_ = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
      looks_first_ = own_ < 0;
    }
  }
  ~Buffer() override {
    if (own_ >= 0) {
      close(own_);
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // What is left when nobody takes it for so long is lost.
  void offer_for(std::int64_t patience_ns) {
    constexpr int kLookMs = 20;
    const std::int64_t until_ns = monotonic_ns() + patience_ns;
    for (offer(); !kept_.empty() && monotonic_ns() < until_ns; offer()) {
      pollfd look{file(), POLLOUT, 0};
      (void)poll(&look, 1, kLookMs);
    }
  }

 private:
  int_type overflow(int_type letter) override {
    if (!traits_type::eq_int_type(letter, traits_type::eof())) {
      const char text = traits_type::to_char_type(letter);
      xsputn(&text, 1);
    }
    return traits_type::not_eof(letter);
  }

  std::streamsize xsputn(const char* text, std::streamsize size) override {
    constexpr std::size_t kMost = std::size_t{64} << 10;
    kept_.append(text, static_cast<std::size_t>(size));
    offer();
    if (kept_.size() > kMost) {  // whole lines go
      const std::size_t end = kept_.find('\n', kept_.size() - kMost);
      kept_.erase(0, end == std::string::npos ? kept_.size() - kMost : end + 1);
    }
    return size;
  }

  int sync() override {
    offer();
    return 0;
  }

  int file() const { return own_ >= 0 ? own_ : STDERR_FILENO; }

  void offer() {
    while (!kept_.empty()) {
      const ssize_t put = retried([&] { return write_some(); });
      if (put < 0 && errno == EAGAIN) {
        return;
      }
      kept_.erase(0, put < 0 ? kept_.size() : static_cast<std::size_t>(put));  // nobody is there
    }
  }

  ssize_t write_some() const {
    constexpr std::size_t kSurelyTaken = 512;  // by a pipe that is writable: POSIX
    if (is_socket_) {
      return send(STDERR_FILENO, kept_.data(), kept_.size(), MSG_DONTWAIT);
    }
    if (!looks_first_) {
      return write(file(), kept_.data(), kept_.size());
    }
    pollfd look{STDERR_FILENO, POLLOUT, 0};
    if (poll(&look, 1, 0) == 0) {
      errno = EAGAIN;
      return -1;
    }
    return write(STDERR_FILENO, kept_.data(), std::min(kept_.size(), kSurelyTaken));
  }

  int own_ = -1;
  bool is_socket_ = false, looks_first_ = false;
  std::string kept_;  // what nobody has taken yet
};

MessagesWithoutWaiting::MessagesWithoutWaiting()
    : buffer_(std::make_unique<Buffer>()), before_(std::cerr.rdbuf(buffer_.get())) {}

MessagesWithoutWaiting::~MessagesWithoutWaiting() {
  constexpr std::int64_t kPatienceNs = 2'000'000'000;
  buffer_->offer_for(kPatienceNs);
  std::cerr.rdbuf(before_);
}

}  // namespace tune::cli
