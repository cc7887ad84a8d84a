#pragma once

#include "viewer/served_file.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace tune::viewer {

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

  /// Answers from now on; 0 is any free port. False, with why, when the port cannot be had.
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

}  // namespace tune::viewer
