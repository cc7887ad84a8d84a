#include "report/viewer/local_server.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::viewer {
namespace {

// A client that writes what it likes, as slowly as it likes.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<in_port_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool send(std::string_view text) const {
    return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) > 0;
  }

  // Until the server has closed the connection.
  std::string read() const {
    std::string text;
    std::array<char, 4096> block{};
    for (ssize_t got = 1; got > 0;) {
      got = recv(socket_, block.data(), block.size(), 0);
      text.append(block.data(), static_cast<std::size_t>(got > 0 ? got : 0));
    }
    return text;
  }

 private:
  int socket_;
};

LocalServer::Settings settings(int patience_ms) {
  return {.get = [](const httplib::Request&,
                    httplib::Response& response) { response.set_content("page", "text/plain"); },
          .threads = 2,
          .patience_ms = patience_ms};
}

constexpr int kEver = 3'600'000;
constexpr const char* kQuestion = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::unique_ptr<LocalServer> started(int patience_ms) {
  auto server = std::make_unique<LocalServer>(settings(patience_ms));
  std::string why;
  EXPECT_TRUE(server->start(0, why)) << why;
  return server;
}

// Sends a byte again and again until the server is fed up with it.
void drip(const RawClient& client) {
  constexpr auto kPause = std::chrono::milliseconds(1);
  client.send("GET / HTTP/1.1\r\nX: ");
  while (client.send("x")) {
    std::this_thread::sleep_for(kPause);
  }
}

TEST(LocalServer, AnswersWhoAsksInPieces) {
  const auto server = started(kEver);
  const RawClient client(server->port());
  for (const char byte : std::string_view(kQuestion)) {
    client.send(std::string_view(&byte, 1));
  }
  EXPECT_TRUE(client.read().ends_with("\r\n\r\npage"));
}

TEST(LocalServer, EndsWhileClientsAskByteByByte) {
  const auto server = started(kEver);
  const RawClient silent(server->port());
  const std::array<RawClient, 3> slow = {
      RawClient(server->port()), RawClient(server->port()), RawClient(server->port())};
  std::vector<std::jthread> threads;
  for (const RawClient& client : slow) {  // more than the server has threads
    threads.emplace_back([&client] { drip(client); });
  }
  server->stop();
  EXPECT_EQ(silent.read(), "");
}

TEST(LocalServer, EndsWhileAClientTakesNothingOfItsAnswer) {
  constexpr std::size_t kMuch = std::size_t{64} << 20;
  LocalServer::Settings wanted = settings(kEver);
  wanted.get = [](const httplib::Request&, httplib::Response& response) {
    response.set_content(std::string(kMuch, 'x'), "text/plain");
  };
  LocalServer server(std::move(wanted));
  std::string why;
  ASSERT_TRUE(server.start(0, why)) << why;
  const RawClient client(server.port());
  client.send(kQuestion);
  server.stop();
  EXPECT_LT(client.read().size(), kMuch);
}

TEST(LocalServer, WaitsNoLongerForAByteThanForTheWholeQuestion) {
  constexpr int kPatienceMs = 50;
  const auto server = started(kPatienceMs);
  drip(RawClient(server->port()));  // else without end
  const RawClient client(server->port());
  client.send(kQuestion);
  EXPECT_TRUE(client.read().ends_with("page"));
}

TEST(LocalServer, ReadsHeadersToALimit) {
  constexpr std::size_t kFarTooMuch = std::size_t{256} << 20;
  const auto server = started(kEver);
  const RawClient client(server->port());
  const std::string line = "X-Header: " + std::string(1000, 'x') + "\r\n";
  std::size_t sent = 0;
  client.send("GET / HTTP/1.1\r\n");
  while (sent < kFarTooMuch && client.send(line)) {
    sent += line.size();
  }
  EXPECT_LT(sent, kFarTooMuch);
}

}  // namespace
}  // namespace tune::viewer
