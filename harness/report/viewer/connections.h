#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace httplib {
class Stream;
}

namespace tune::viewer {

/// The clients of a server: as many as there are threads are answered at a time, some more wait,
/// and whoever comes beyond that is sent away. None of them can hold it: a question has to come
/// whole within the patience, counted from when the client came, and has a largest size; and
/// stop() does not wait for clients.
class Connections {
 public:
  struct Limits {
    std::size_t threads = 4;
    std::size_t most_waiting = 64;
    std::size_t most_question_bytes = std::size_t{64}
                                      << 10;  ///< browsers send cookies of all ports
    int patience_ms = 15'000;  ///< also with a client that takes nothing of its answer
    int grace_ms = 500;        ///< of stop() with answers that are under way
  };
  /// Reads a question and answers it, on a thread of its own.
  using Answer = std::function<void(httplib::Stream& client)>;

  Connections(const Limits& limits, Answer answer);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  /// Begins the threads. Throws tune::MachineError. Once.
  void start();

  /// A client that has just come; closes the socket.
  void take(int socket);

  /// Who asks or waits is cut off at once, who is answered after a moment; ends the threads.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tune::viewer
