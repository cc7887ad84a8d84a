#include "report/viewer/trace_server.h"

#include "base/error.h"
#include "report/viewer/answers.h"
#include "report/viewer/local_server.h"
#include "report/viewer/perfetto_address.h"
#include "trace/reader/byte_source.h"

#include <httplib.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

namespace tune::viewer {

ServedFile look_at_file(const std::filesystem::path& path) {
  constexpr std::string_view kZstdEnding = ".zst";
  const auto text = profile::open_trace_text(path);
  char first = 0;
  if (text->read(&first, 1) == 0) {
    throw Error(Error::Parts{path.string(),
                             "holds nothing to show",
                             text->damage().empty() ? "it is empty" : text->damage(),
                             "name a file that torch.profiler's export_chrome_trace or "
                             "tensorboard_trace_handler wrote"});
  }
  ServedFile file{.path = path};
  file.is_unpacked = text->compression() == "zstd";
  std::string name = path.filename().string();
  if (file.is_unpacked && name.ends_with(kZstdEnding)) {
    name.resize(name.size() - kZstdEnding.size());
  }
  file.name = address_name(name);
  std::error_code failed;
  file.bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, failed));
  if (failed) {
    throw Error(Error::Parts{path.string(), "cannot be read", failed.message(), ""});
  }
  return file;
}

namespace {

using Clock = std::chrono::steady_clock;

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
  State(ServedFile served, std::string page)
      : file(std::move(served)),
        name(unguessable_word() + "/" + file.name),
        origin(std::move(page)),
        server(settings()) {}

  LocalServer::Settings settings();
  void preflight(const httplib::Request& request, httplib::Response& response) const;
  void give(const httplib::Request& request, httplib::Response& response);
  void give_stored(httplib::Response& response, bool is_whole);
  void give_unpacked(httplib::Response& response);

  ServedFile file;
  std::string name;  ///< in the address
  std::string origin;
  Transfers transfers;
  LocalServer server;  // last: its threads use the others
};

LocalServer::Settings TraceServer::State::settings() {
  return {.get = [this](const httplib::Request& request,
                        httplib::Response& response) { give(request, response); },
          .options = [this](const httplib::Request& request,
                            httplib::Response& response) { preflight(request, response); },
          .headers = {{"Access-Control-Allow-Origin", origin},
                      {"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"}},
          .complain = [this](const std::string& what) { transfers.complain(what); }};
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
  if (request.path != "/" + name) {
    not_found(response);
  } else if (file.is_unpacked) {
    give_unpacked(response);
  } else {
    give_stored(response, request.ranges.empty());
  }
}

void TraceServer::State::give_stored(httplib::Response& response, bool is_whole) {
  transfers.begin();
  const bool is_open = answer_with_file(
      response,
      {.path = file.path, .bytes = file.bytes},
      [this, is_whole](bool is_done) { transfers.end(is_done && is_whole); },
      [this] { transfers.complain("the file became shorter while it was read"); });
  if (!is_open) {
    transfers.complain("the file cannot be opened any more");
    transfers.end(false);
    response.status = 500;
  }
}

// Nobody knows its length before; an exception here would end the program.
void TraceServer::State::give_unpacked(httplib::Response& response) {
  std::shared_ptr<profile::ByteSource> text = profile::open_trace_text(file.path);
  transfers.begin();
  response.set_chunked_content_provider(
      "application/octet-stream",
      [this, text](std::size_t, httplib::DataSink& sink) {
        try {
          constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
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

TraceServer::TraceServer(ServedFile file, std::string origin)
    : state_(std::make_unique<State>(std::move(file), std::move(origin))) {}

TraceServer::~TraceServer() = default;

bool TraceServer::start(int port, std::string& why) {
  return state_->server.start(port, why);
}

int TraceServer::port() const {
  return state_->server.port();
}

const std::string& TraceServer::name() const {
  return state_->name;
}

Ending TraceServer::wait(const std::atomic<int>& stop, const Patience& patience) {
  return state_->transfers.wait(stop, patience);
}

std::string TraceServer::trouble() const {
  return state_->transfers.trouble();
}

Shown serve_trace(const std::filesystem::path& file,
                  const ShowSettings& settings,
                  const Open& open,
                  const std::atomic<int>& stop) {
  TraceServer server(look_at_file(file), origin_of(settings.viewer));
  Shown shown;
  if (!server.start(settings.port, shown.trouble)) {
    return shown;
  }
  open(page_address(settings.viewer, server.port(), server.name(), settings.visible),
       server.port());
  shown.ending = server.wait(stop, settings.patience);
  shown.trouble = server.trouble();
  return shown;
}

}  // namespace tune::viewer
