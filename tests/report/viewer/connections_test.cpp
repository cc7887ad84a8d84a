#include "report/viewer/connections.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <array>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace tune::viewer {
namespace {

// The end of a connection that a client has.
class Peer {
 public:
  Peer() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()), 0); }
  ~Peer() { close(ends_[0]); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  int of_server() const { return ends_[1]; }
  void ask() const { EXPECT_EQ(send(ends_[0], "?", 1, MSG_NOSIGNAL), 1); }

  // "": the connection was closed.
  std::string answer() const {
    char letter = 0;
    return recv(ends_[0], &letter, 1, 0) == 1 ? std::string(1, letter) : "";
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

void answer(httplib::Stream& client) {
  char letter = 0;
  if (client.read(&letter, 1) == 1) {
    client.write("!", 1);
  }
}

TEST(Connections, SendAwayWhoCannotWait) {
  const Peer first;
  const Peer second;
  const Peer third;
  Connections connections({.threads = 1, .most_waiting = 2}, answer);
  for (const Peer* peer : {&first, &second, &third}) {
    connections.take(peer->of_server());
  }
  EXPECT_EQ(third.answer(), "");
  second.ask();
  first.ask();
  connections.start();
  EXPECT_EQ(first.answer(), "!");
  EXPECT_EQ(second.answer(), "!");
}

TEST(Connections, CloseWhoWaitsAtTheEnd) {
  const Peer peer;
  const Peer late;
  Connections connections({}, answer);
  connections.take(peer.of_server());
  connections.stop();
  EXPECT_EQ(peer.answer(), "");
  connections.take(late.of_server());
  EXPECT_EQ(late.answer(), "");
}

}  // namespace
}  // namespace tune::viewer
