#include "report/viewer/connections.h"

#include "base/background_thread.h"
#include "base/clock.h"

#include <httplib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <poll.h>
#include <set>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

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

/// One client of a server, as the library reads and writes it, with an end to its patience: the
/// library's own stream begins to wait again with every byte, and reads headers without end.
class Client final : public httplib::Stream {
 public:
  struct Limits {
    std::int64_t deadline_ns = 0;  ///< until when the question has to be there
    std::size_t most_question_bytes = 0;
    int patience_ms = 0;  ///< with a client that takes nothing
  };

  /// Owns the socket.
  Client(int socket, const Limits& limits) : socket_(socket), limits_(limits) {}
  ~Client() override;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Whether an answer has begun. May be called from another thread, as cut().
  bool is_answered() const { return is_answered_; }

  /// Nothing comes or goes any more, and whoever waits for that wakes up.
  void cut() const;

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* text, std::size_t size) override;
  ssize_t write(const char* text, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  bool fill();

  int socket_;
  Limits limits_;
  std::array<char, 4096> block_{};  // of the question: the library reads it byte by byte
  std::size_t begin_ = 0, end_ = 0;
  std::size_t asked_bytes_ = 0;
  std::atomic<bool> is_answered_ = false;
};

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

struct Waiting {
  int socket = -1;
  std::int64_t deadline_ns = 0;  // of its question
};

}  // namespace

struct Connections::State {
  State(const Limits& most, Answer how) : limits(most), answer(std::move(how)) {}

  void serve();
  void serve_one(const Waiting& next);
  template <class Which>
  void cut(Which which);

  Limits limits;
  Answer answer;
  std::mutex mutex;  // of the four below
  std::condition_variable changed;
  std::deque<Waiting> waiting;
  std::set<Client*> clients;  // who are asking or being answered
  bool has_stopped = false;
  std::vector<std::jthread> threads;  // last: they use the others
};

void Connections::State::serve() {
  step_aside("tune-serve");
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return has_stopped || !waiting.empty(); });
    if (has_stopped) {
      return;
    }
    const Waiting next = waiting.front();
    waiting.pop_front();
    Client client(next.socket,
                  {.deadline_ns = next.deadline_ns,
                   .most_question_bytes = limits.most_question_bytes,
                   .patience_ms = limits.patience_ms});
    clients.insert(&client);
    lock.unlock();
    answer(client);
    lock.lock();
    clients.erase(&client);
    changed.notify_all();
  }
}

template <class Which>
void Connections::State::cut(Which which) {
  for (Client* const client : clients) {
    if (which(*client)) {
      client->cut();
    }
  }
}

Connections::Connections(const Limits& limits, Answer answer)
    : state_(std::make_unique<State>(limits, std::move(answer))) {}

Connections::~Connections() {
  stop();
}

void Connections::start() {
  try {
    for (std::size_t i = 0; i < state_->limits.threads; ++i) {
      state_->threads.push_back(start_thread([state = state_.get()] { state->serve(); }));
    }
  } catch (...) {
    stop();
    throw;
  }
}

void Connections::take(int socket) {
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->has_stopped && state_->waiting.size() < state_->limits.most_waiting) {
      state_->waiting.push_back({socket, monotonic_ns() + kNsPerMs * state_->limits.patience_ms});
      socket = -1;
    }
  }
  if (socket >= 0) {
    close(socket);
  }
  state_->changed.notify_all();
}

void Connections::stop() {
  std::unique_lock lock(state_->mutex);
  state_->has_stopped = true;
  for (const Waiting& client : state_->waiting) {
    close(client.socket);
  }
  state_->waiting.clear();
  state_->changed.notify_all();
  state_->cut([](const Client& client) { return !client.is_answered(); });
  state_->changed.wait_for(lock, std::chrono::milliseconds(state_->limits.grace_ms), [&] {
    return state_->clients.empty();
  });
  state_->cut([](const Client&) { return true; });
  lock.unlock();
  state_->threads.clear();  // joins them
}

}  // namespace tune::viewer
