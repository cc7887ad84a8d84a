#pragma once

#include <httplib.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tune::viewer {

/// One client of a server, as the library reads and writes it, with an end to its patience: the
/// library's own stream begins to wait anew with every byte, and reads headers without end.
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

}  // namespace tune::viewer
