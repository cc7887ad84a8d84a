#include "viewer/trace_server.h"

#include "base/assert.h"
#include "profile/reader/byte_source.h"

#include <httplib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <fstream>
#include <mutex>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace tune::viewer {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
constexpr const char* kHost = "127.0.0.1";

// A name that points to this machine and that no page can give itself.
bool is_own_host(const std::string& host) {
  const std::string name = host.substr(0, host.find(':'));
  return name == kHost || name == "localhost";
}

// What is going on, between the server's threads and the one that waits.
class Transfers {
 public:
  void begin() {
    const std::lock_guard lock(mutex_);
    ++running_;
  }

  void end(bool is_whole) {
    const std::lock_guard lock(mutex_);
    --running_;
    if (is_whole) {
      is_fetched_ = true;
      last_end_ = Clock::now();
    }
    changed_.notify_all();
  }

  void complain(std::string trouble) {
    const std::lock_guard lock(mutex_);
    trouble_ = std::move(trouble);
  }

  std::string trouble() const {
    const std::lock_guard lock(mutex_);
    return trouble_;
  }

  Ending wait(const std::atomic<int>& stop, const TraceServer::Patience& patience) {
    constexpr auto kLook = std::chrono::milliseconds(50);  // signals wake nobody
    const auto begin = Clock::now();
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto now = Clock::now();
      const bool is_over = now - last_end_ >= std::chrono::nanoseconds(patience.linger_ns);
      if (is_fetched_ && (stop.load() != 0 || (running_ == 0 && is_over))) {
        return Ending::fetched;
      }
      if (stop.load() != 0) {
        return Ending::stopped;
      }
      const bool is_late = now - begin >= std::chrono::nanoseconds(patience.limit_ns);
      if (!is_fetched_ && running_ == 0 && is_late) {
        return Ending::timed_out;
      }
      changed_.wait_for(lock, kLook);
    }
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int running_ = 0;
  bool is_fetched_ = false;
  Clock::time_point last_end_;
  std::string trouble_;
};

}  // namespace

struct TraceServer::State {
  State(ServedFile served, std::string page) : file(std::move(served)), origin(std::move(page)) {}

  void set_up();
  httplib::Server::HandlerResponse check(const httplib::Request& request,
                                         httplib::Response& response) const;
  void preflight(const httplib::Request& request, httplib::Response& response) const;
  void give(const httplib::Request& request, httplib::Response& response);
  void give_stored(httplib::Response& response, bool is_whole);
  void give_unpacked(httplib::Response& response);
  void complain(const std::exception_ptr& thrown);

  ServedFile file;
  std::string origin;
  int port = 0;
  std::atomic<bool> has_ended = false;
  Transfers transfers;
  httplib::Server server;
  std::thread thread;
};

void TraceServer::State::set_up() {
  constexpr std::size_t kThreads = 4;
  constexpr time_t kSeconds = 15;
  constexpr std::size_t kMostQuestion = 4096;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  // Not the library's own, which lets two servers have one port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_keep_alive_max_count(1);
  server.set_read_timeout(kSeconds);
  server.set_write_timeout(kSeconds);
  server.set_payload_max_length(kMostQuestion);
  server.set_default_headers({{"Access-Control-Allow-Origin", origin},
                              {"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"}});
  server.set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        return check(request, response);
      });
  server.set_exception_handler([this](const httplib::Request&,
                                      httplib::Response& response,
                                      const std::exception_ptr& thrown) {
    complain(thrown);
    response.status = 500;
  });
  server.Options(".*", [this](const httplib::Request& request, httplib::Response& response) {
    preflight(request, response);
  });
  server.Get(".*", [this](const httplib::Request& request, httplib::Response& response) {
    give(request, response);
  });
}

httplib::Server::HandlerResponse TraceServer::State::check(const httplib::Request& request,
                                                           httplib::Response& response) const {
  if (is_own_host(request.get_header_value("Host"))) {
    return httplib::Server::HandlerResponse::Unhandled;
  }
  response.status = 403;
  response.set_content("this server answers to 127.0.0.1 and localhost only\n", "text/plain");
  return httplib::Server::HandlerResponse::Handled;
}

// A page of the web that fetches from this machine is asked for first, by Chrome and its kin:
// developer.chrome.com/blog/private-network-access-preflight.
void TraceServer::State::preflight(const httplib::Request& request,
                                   httplib::Response& response) const {
  response.status = 204;
  response.set_header("Access-Control-Allow-Methods", "GET, HEAD");
  response.set_header("Vary", "Origin");
  const bool is_asked =
      request.get_header_value("Access-Control-Request-Private-Network") == "true";
  if (is_asked && request.get_header_value("Origin") == origin) {
    response.set_header("Access-Control-Allow-Private-Network", "true");
  }
}

void TraceServer::State::give(const httplib::Request& request, httplib::Response& response) {
  if (request.path != "/" + file.name) {
    response.status = 404;
    response.set_content("only /" + file.name + " is here\n", "text/plain");
  } else if (file.is_unpacked) {
    give_unpacked(response);
  } else {
    give_stored(response, request.ranges.empty());
  }
}

void TraceServer::State::give_stored(httplib::Response& response, bool is_whole) {
  const auto stored = std::make_shared<std::ifstream>(file.path, std::ios::binary);
  transfers.begin();
  response.set_content_provider(
      static_cast<std::size_t>(file.bytes),
      "application/octet-stream",
      [this, stored](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        std::array<char, kBlockBytes> block{};
        const std::size_t wanted = std::min(length, block.size());
        stored->seekg(static_cast<std::streamoff>(offset));
        stored->read(block.data(), static_cast<std::streamsize>(wanted));
        if (static_cast<std::size_t>(stored->gcount()) != wanted) {
          transfers.complain("the file became shorter while it was read");
          return false;
        }
        return sink.write(block.data(), wanted);
      },
      [this, is_whole](bool is_done) { transfers.end(is_done && is_whole); });
}

// Nobody knows its length before; an exception here would end the program.
void TraceServer::State::give_unpacked(httplib::Response& response) {
  std::shared_ptr<profile::ByteSource> text = profile::open_trace_text(file.path);
  transfers.begin();
  response.set_chunked_content_provider(
      "application/octet-stream",
      [this, text](std::size_t, httplib::DataSink& sink) {
        try {
          std::array<char, kBlockBytes> block{};
          const std::size_t size = text->read(block.data(), block.size());
          if (size > 0) {
            return sink.write(block.data(), size);
          }
          if (const std::string damage = text->damage(); !damage.empty()) {
            transfers.complain(damage);  // what is whole is served; Perfetto reads that
          }
          sink.done();
          return true;
        } catch (const std::exception& error) {
          transfers.complain(error.what());
          return false;
        }
      },
      [this](bool is_done) { transfers.end(is_done); });
}

void TraceServer::State::complain(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    transfers.complain(error.what());
  }
}

TraceServer::TraceServer(ServedFile file, std::string origin)
    : state_(std::make_unique<State>(std::move(file), std::move(origin))) {
  state_->set_up();
}

TraceServer::~TraceServer() {
  state_->server.stop();
  if (state_->thread.joinable()) {
    state_->thread.join();
  }
}

bool TraceServer::start(int port, std::string& why) {
  TUNE_ASSERT(!state_->thread.joinable());
  httplib::Server& server = state_->server;
  errno = 0;
  if (port == 0) {
    state_->port = server.bind_to_any_port(kHost);
  } else {
    state_->port = server.bind_to_port(kHost, port) ? port : -1;
  }
  if (state_->port <= 0) {
    why = errno != 0 ? std::strerror(errno) : "it cannot be bound";
    return false;
  }
  state_->thread = std::thread([this, &server] {
    server.listen_after_bind();
    state_->has_ended = true;
  });
  while (!server.is_running() && !state_->has_ended.load()) {  // an earlier stop() would be lost
    std::this_thread::yield();
  }
  return true;
}

int TraceServer::port() const {
  return state_->port;
}

Ending TraceServer::wait(const std::atomic<int>& stop, const Patience& patience) {
  return state_->transfers.wait(stop, patience);
}

std::string TraceServer::trouble() const {
  return state_->transfers.trouble();
}

}  // namespace tune::viewer
