#include "report/viewer/page_server.h"

#include "report/viewer/answers.h"
#include "report/viewer/local_server.h"

#include <httplib.h>

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

namespace tune::viewer {

namespace {

constexpr const char* kEvents = "events";

// One of the two.
struct Content {
  std::shared_ptr<const std::string> bytes;
  std::filesystem::path file;
};

}  // namespace

struct PageServer::State {
  explicit State(Settings wanted)
      : settings(std::move(wanted)),
        prefix("/" + unguessable_word() + "/"),
        server(server_settings()) {}

  LocalServer::Settings server_settings();
  void give(const httplib::Request& request, httplib::Response& response);
  void give_events(httplib::Response& response);
  void put(const std::string& name, Content content);
  std::optional<Content> find(const std::string& name) const;

  Settings settings;
  std::string prefix;
  std::atomic<bool> is_asked = false;
  mutable std::mutex mutex;  // of the two below
  std::map<std::string, Content> contents;
  std::map<std::string, std::int64_t> times_given;
  EventFeed feed;
  LocalServer server;  // last: its threads use the others
};

LocalServer::Settings PageServer::State::server_settings() {
  constexpr std::size_t kThreads = 4;
  constexpr int kPatienceMs = 5'000;
  return {.get = [this](const httplib::Request& request,
                        httplib::Response& response) { give(request, response); },
          // The address must not leave with a link, and no other page may hold these in a frame.
          .headers = {{"Cache-Control", "no-store"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Referrer-Policy", "no-referrer"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"X-Frame-Options", "SAMEORIGIN"}},
          // A stream holds its thread as long as it lasts.
          .threads = kThreads + (settings.has_events ? EventFeed::kMostReaders : 0),
          .patience_ms = kPatienceMs};
}

void PageServer::State::give(const httplib::Request& request, httplib::Response& response) {
  if (!request.path.starts_with(prefix)) {
    not_found(response);
    return;
  }
  std::string name = request.path.substr(prefix.size());
  if (settings.has_events && name == kEvents) {
    give_events(response);
    return;
  }
  if (name.empty()) {
    name = settings.start;
  }
  const std::optional<Content> content = find(name);
  if (!content) {
    not_found(response);
    return;
  }
  is_asked = true;
  const auto end = [this, name, is_all = request.ranges.empty()](bool is_whole) {
    if (is_all && is_whole) {
      const std::lock_guard lock(mutex);
      ++times_given[name];
    }
  };
  const std::string type = media_type(name);
  if (content->bytes) {
    answer_with_bytes(response, content->bytes, type, end);
    return;
  }
  std::error_code failed;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(content->file, failed));
  if (failed ||
      !answer_with_file(response, {.path = content->file, .bytes = bytes, .type = type}, end)) {
    not_found(response);
  }
}

// Not chunked: the library packs what is, and a packed event would wait for the next ones.
void PageServer::State::give_events(httplib::Response& response) {
  const auto reader = std::make_shared<EventFeed::Reader>(feed);
  response.set_content_provider("text/event-stream",
                                [reader](std::size_t, httplib::DataSink& sink) {
                                  const std::optional<std::string> state = reader->next();
                                  if (!state) {
                                    sink.done();
                                    return true;
                                  }
                                  const std::string event = "retry: 2000\ndata: " + *state + "\n\n";
                                  return sink.write(event.data(), event.size());
                                });
}

void PageServer::State::put(const std::string& name, Content content) {
  const std::lock_guard lock(mutex);
  contents[name] = std::move(content);
}

std::optional<Content> PageServer::State::find(const std::string& name) const {
  const std::lock_guard lock(mutex);
  const auto found = contents.find(name);
  return found == contents.end() ? std::nullopt : std::optional(found->second);
}

PageServer::PageServer(Settings settings) : state_(std::make_unique<State>(std::move(settings))) {}

PageServer::~PageServer() {
  state_->feed.close();  // else the server would wait for its streams
}

void PageServer::put(const std::string& name, std::string bytes) {
  state_->put(name, {.bytes = std::make_shared<const std::string>(std::move(bytes))});
}

void PageServer::put_file(const std::string& name, const std::filesystem::path& file) {
  state_->put(name, {.file = file});
}

bool PageServer::start(int port, std::string& why) {
  return state_->server.start(port, why);
}

int PageServer::port() const {
  return state_->server.port();
}

std::string PageServer::address() const {
  return "http://127.0.0.1:" + std::to_string(port()) + state_->prefix;
}

EventFeed& PageServer::events() {
  return state_->feed;
}

bool PageServer::was_asked() {
  return state_->is_asked.exchange(false);
}

std::int64_t PageServer::times_given(const std::string& name) const {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->times_given.find(name);
  return found == state_->times_given.end() ? 0 : found->second;
}

}  // namespace tune::viewer
