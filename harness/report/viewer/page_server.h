#pragma once

#include "report/viewer/event_feed.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace tune::viewer {

/// Gives a list of pages and files to browsers of this machine (local_server.h) below a word that
/// nobody guesses, since everybody who is logged in here may connect. It serves only what
/// is in the list, by its whole name: no path is ever built of what somebody asks for.
class PageServer {
 public:
  struct Settings {
    std::string start = "report.html";  ///< what the address itself shows
    bool has_events =
        false;  ///< "events" is a stream of server-sent events: each state of events()
  };

  explicit PageServer(Settings settings);
  ~PageServer();  ///< ends the streams, too
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  // Both may be called while it answers, and replace what had that name.
  /// Bytes that are ready; the type follows from the name.
  void put(const std::string& name, std::string bytes);
  /// A file as it is when somebody asks for it; one that is gone by then is not found.
  void put_file(const std::string& name, const std::filesystem::path& file);

  /// Answers from now on; 0 is any free port. False, with why, when the port is taken. Once.
  bool start(int port, std::string& why);
  int port() const;

  /// "http://127.0.0.1:41234/0f3a.../".
  std::string address() const;

  /// A state is one line of text.
  EventFeed& events();

  /// Whether anything of the list was asked for since the last call.
  bool was_asked();

  /// How often it went out whole.
  std::int64_t times_given(const std::string& name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tune::viewer
