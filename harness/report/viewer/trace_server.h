#pragma once

#include "report/viewer/perfetto_address.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tune::viewer {

/// A file for a viewer.
struct ServedFile {
  std::filesystem::path path;
  std::string name;          ///< of it in the address
  std::int64_t bytes = 0;    ///< as stored
  bool is_unpacked = false;  ///< zstd, which not every Perfetto reads, is unpacked on the way
};

/// Looks at the file's size and first bytes. Throws tune::Error when it cannot be read or is empty.
ServedFile look_at_file(const std::filesystem::path& path);

/// How serving ended.
enum class Ending {
  fetched,    ///< whole, at least once
  stopped,    ///< before that
  timed_out,  ///< nobody fetched it in time
  no_port     ///< nothing was served
};

/// Gives one file to pages of one origin (local_server.h): `/<name()>` is answered with the bytes
/// as stored (unpacked where ServedFile says so), and so are the questions that browsers ask before
/// they let a page at this machine: CORS, and the preflight of Private Network Access. Everything
/// else is not found, and no answer says what is there.
class TraceServer {
 public:
  /// `origin` may read the answers.
  TraceServer(ServedFile file, std::string origin);
  ~TraceServer();
  TraceServer(const TraceServer&) = delete;
  TraceServer& operator=(const TraceServer&) = delete;

  /// Answers from now on; 0 is any free port. False, with why, when the port is taken.
  bool start(int port, std::string& why);
  int port() const;
  /// Where the file is: "0f3a.../trace.json", below a word that nobody guesses.
  const std::string& name() const;

  struct Patience {
    std::int64_t limit_ns = 0;   ///< without a whole fetch
    std::int64_t linger_ns = 0;  ///< after the last one, for a page that is loaded again
  };
  /// Until the file was fetched whole, `stop` is not 0, or the limit is over; a transfer that goes
  /// on is only cut by `stop`.
  Ending wait(const std::atomic<int>& stop, const Patience& patience);

  /// What kept a transfer from its end, such as a file that is damaged; "" when nothing did.
  std::string trouble() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How a trace is shown.
struct ShowSettings {
  std::string viewer = kPerfetto;  ///< viewer_address()
  int port = kPerfettoPort;        ///< 0: any that is free
  TraceServer::Patience patience;
  std::optional<VisibleRange> visible;  ///< nothing: all of it
};

struct Shown {
  Ending ending = Ending::no_port;
  std::string trouble;  ///< why there is no port, or what kept a transfer from its end; "" of none
};

/// What brings the user to the page; `port` is the one on this machine.
using Open = std::function<void(const std::string& address, int port)>;

/// Serves the file to the viewer until TraceServer::wait() ends. `open` is called once
/// the server answers. Throws tune::Error when the file cannot be read.
Shown serve_trace(const std::filesystem::path& file,
                  const ShowSettings& settings,
                  const Open& open,
                  const std::atomic<int>& stop);

}  // namespace tune::viewer
