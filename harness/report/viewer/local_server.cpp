#include "report/viewer/local_server.h"

#include "base/assert.h"
#include "base/background_thread.h"
#include "report/viewer/connections.h"

#include <httplib.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <random>
#include <sys/socket.h>
#include <thread>

namespace tune::viewer {

namespace {

constexpr const char* kHost = "127.0.0.1";

// A name that points to this machine and that no page can give itself.
bool is_own_host(const std::string& host) {
  const std::string name = host.substr(0, host.find(':'));
  return name == kHost || name == "localhost";
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why, "text/plain");
}

// The library does not offer its threads one by one, and its clients may take their time.
class Acceptor final : public httplib::Server {
 public:
  explicit Acceptor(std::function<void(int)> take) : take_(std::move(take)) {
    new_task_queue = [] { return new AtOnce; };
  }

  void answer(httplib::Stream& client) {
    bool is_closed = false;
    process_request(client, true, is_closed, nullptr);
  }

 private:
  struct AtOnce final : httplib::TaskQueue {
    void enqueue(std::function<void()> work) override { work(); }
    void shutdown() override {}
  };

  bool process_and_close_socket(socket_t socket) override {
    take_(socket);
    return true;
  }

  std::function<void(int)> take_;
};

}  // namespace

struct LocalServer::State {
  explicit State(Settings wanted)
      : settings(std::move(wanted)),
        server([this](int socket) { connections.take(socket); }),
        connections({.threads = settings.threads, .patience_ms = settings.patience_ms},
                    [this](httplib::Stream& client) { server.answer(client); }) {}

  void set_up();
  void answer(const httplib::Request& request, httplib::Response& response) const;
  void complain(const std::exception_ptr& thrown) const;

  Settings settings;
  int port = 0;
  std::atomic<bool> has_ended = false;
  Acceptor server;
  Connections connections;  // behind the server: its threads use that
  std::jthread thread;      // accepts
};

void LocalServer::State::set_up() {
  constexpr std::size_t kMostQuestion = 4096;
  // Not the library's own, which lets two servers have one port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_payload_max_length(kMostQuestion);
  server.set_default_headers(httplib::Headers(settings.headers.begin(), settings.headers.end()));
  // All is answered here: the library's routes are regular expressions over what anybody sends.
  server.set_pre_routing_handler(
      [this](const httplib::Request& request, httplib::Response& response) {
        answer(request, response);
        return httplib::Server::HandlerResponse::Handled;
      });
  server.set_exception_handler([this](const httplib::Request&,
                                      httplib::Response& response,
                                      const std::exception_ptr& thrown) {
    complain(thrown);
    response.status = 500;
  });
}

void LocalServer::State::answer(const httplib::Request& request,
                                httplib::Response& response) const {
  if (!is_own_host(request.get_header_value("Host"))) {
    refuse(response, 403, "this server answers to 127.0.0.1 and localhost only\n");
  } else if (request.method == "GET" || request.method == "HEAD") {
    settings.get(request, response);
  } else if (request.method == "OPTIONS" && settings.options) {
    settings.options(request, response);
  } else {
    response.set_header("Allow", settings.options ? "GET, HEAD, OPTIONS" : "GET, HEAD");
    refuse(response, 405, "this server only gives\n");
  }
}

void LocalServer::State::complain(const std::exception_ptr& thrown) const {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    if (settings.complain) {
      settings.complain(error.what());
    }
  }
}

LocalServer::LocalServer(Settings settings) : state_(std::make_unique<State>(std::move(settings))) {
  state_->set_up();
}

LocalServer::~LocalServer() {
  stop();
}

bool LocalServer::start(int port, std::string& why) {
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
  state_->connections.start();
  state_->thread = start_thread([state = state_.get()] {
    step_aside("tune-serve");
    state->server.listen_after_bind();
    state->has_ended = true;
  });
  while (!server.is_running() && !state_->has_ended.load()) {  // an earlier stop() would be lost
    std::this_thread::yield();
  }
  return true;
}

int LocalServer::port() const {
  return state_->port;
}

void LocalServer::stop() {
  state_->server.stop();
  if (state_->thread.joinable()) {
    state_->thread.join();
  }
  state_->connections.stop();
}

std::string unguessable_word() {
  std::random_device random;
  std::string word;
  for (int i = 0; i < 4; ++i) {
    std::array<char, 9> part{};
    std::snprintf(part.data(), part.size(), "%08x", random());
    word += part.data();
  }
  return word;
}

}  // namespace tune::viewer
