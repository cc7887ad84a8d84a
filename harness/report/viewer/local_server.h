#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace httplib {

struct Request;
struct Response;

}  // namespace httplib

namespace tune::viewer {

/// Answers browsers on 127.0.0.1, and only gives: GET and HEAD, and OPTIONS where somebody answers
/// that; any other method is refused (405). So is a request under another host name (403), as of a
/// page that had its own name point here. One request a connection. What a client may take of it is
/// limited (connections.h). Its threads take no signals and give way to whatever else runs.
class LocalServer {
 public:
  using Answer = std::function<void(const httplib::Request&, httplib::Response&)>;

  struct Settings {
    Answer get;  ///< GET and HEAD; the path is decoded, and may be anything
    Answer options = nullptr;
    std::vector<std::pair<std::string, std::string>> headers = {};    ///< of every answer
    std::function<void(const std::string& what)> complain = nullptr;  ///< of an answer that threw
    std::size_t threads = 4;                                          ///< as many answers at a time
    int patience_ms = 15'000;  ///< with a question until it is whole, and with who takes nothing
  };

  explicit LocalServer(Settings settings);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  /// Answers from now on; 0 is any free port. False, with why, when the port is taken. Throws
  /// tune::MachineError where no thread can be started. Once.
  bool start(int port, std::string& why);
  int port() const;

  /// Ends once the answers that are under way are given or broken off; waits for no client.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// 128 bits from the system, in hexadecimal digits: who does not know the address that holds it
/// does not find what is served, though everybody who is logged in here may connect.
std::string unguessable_word();

}  // namespace tune::viewer
