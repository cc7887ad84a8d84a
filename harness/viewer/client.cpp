#include "viewer/client.h"

#include "base/monotonic_clock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tune::viewer {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

// What is there is there, also after the deadline.
bool wait_for(int socket, short event, std::int64_t deadline_ns) {
  for (;;) {
    const std::int64_t rest_ns = std::max<std::int64_t>(0, deadline_ns - monotonic_ns());
    pollfd look{socket, event, 0};
    const int found = poll(&look, 1, static_cast<int>((rest_ns + kNsPerMs - 1) / kNsPerMs));
    if (found >= 0 || errno != EINTR) {
      return found > 0;
    }
  }
}

}  // namespace

Client::~Client() {
  cut();
  close(socket_);
}

void Client::cut() const {
  shutdown(socket_, SHUT_RDWR);
}

bool Client::is_readable() const {
  return begin_ < end_ || wait_for(socket_, POLLIN, limits_.deadline_ns);
}

bool Client::is_writable() const {
  return wait_for(socket_, POLLOUT, monotonic_ns() + kNsPerMs * limits_.patience_ms);
}

bool Client::fill() {
  const std::size_t most = std::min(block_.size(), limits_.most_question_bytes - asked_bytes_);
  ssize_t got = -1;
  while (most > 0 && got < 0 && wait_for(socket_, POLLIN, limits_.deadline_ns)) {
    got = recv(socket_, block_.data(), most, MSG_DONTWAIT);
    if (got < 0 && errno != EINTR && errno != EAGAIN) {
      return false;
    }
  }
  begin_ = 0;
  end_ = static_cast<std::size_t>(std::max<ssize_t>(0, got));
  asked_bytes_ += end_;
  return end_ > 0;
}

ssize_t Client::read(char* text, std::size_t size) {
  if (begin_ == end_ && !fill()) {
    return -1;
  }
  const std::size_t taken = std::min(size, end_ - begin_);
  std::memcpy(text, block_.data() + begin_, taken);
  begin_ += taken;
  return static_cast<ssize_t>(taken);
}

// All of it or nothing: the library does not look at how much of a head went out.
ssize_t Client::write(const char* text, std::size_t size) {
  is_answered_ = true;
  for (std::size_t sent = 0; sent < size;) {
    if (!is_writable()) {
      return -1;
    }
    const ssize_t put = send(socket_, text + sent, size - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (put >= 0) {
      sent += static_cast<std::size_t>(put);
    } else if (errno != EINTR && errno != EAGAIN) {
      return -1;
    }
  }
  return static_cast<ssize_t>(size);
}

void Client::get_remote_ip_and_port(std::string& ip, int& port) const {
  get_local_ip_and_port(ip, port);
}

void Client::get_local_ip_and_port(std::string& ip, int& port) const {
  ip = "127.0.0.1";  // nobody else can come; and nothing asks for the port
  port = 0;
}

}  // namespace tune::viewer
