#include "../measure/campaign/test_folder.h"
#include "base/retry.h"
#include "readers.h"
#include "report/viewer/page_server.h"
#include "report/viewer/trace_server.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace tune::fuzz {

namespace {

constexpr const char* kSecret = "only for those who know the address";

struct Servers {
  Servers();

  campaign::TestFolder folder;
  viewer::PageServer pages{{.start = "report.html", .has_events = false}};
  std::optional<viewer::TraceServer> trace;
  std::string page_word, trace_word;
};

// "0f3a..." of "http://127.0.0.1:41234/0f3a.../report.html".
std::string word_of(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  const std::size_t begin = colon == std::string::npos ? 0 : address.find('/', colon) + 1;
  return address.substr(begin, address.find('/', begin) - begin);
}

Servers::Servers() {
  const std::filesystem::path file = folder.path() / "trace.json";
  std::ofstream(file) << kSecret;
  trace.emplace(viewer::look_at_file(file), "https://ui.perfetto.dev");
  pages.put("report.html", kSecret);
  pages.put_file("trials/trace.json", file);
  std::string why;
  if (!pages.start(0, why) || !trace->start(0, why)) {
    throw std::logic_error("no port: " + why);
  }
  page_word = word_of(pages.address());
  trace_word = word_of(trace->name());
}

std::string with_word(std::string_view bytes, const std::string& word) {
  std::string text;
  for (const char byte : bytes) {
    byte == '@' ? text += word : text += byte;
  }
  return text;
}

// libFuzzer's clock is a signal, which may interrupt a call.
int connected_to(int port) {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<std::uint16_t>(port));
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const linger at_once{1, 0};  // no port waits a minute for stragglers
  for (;;) {
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    if (connect(client, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0) {
      return client;
    }
    const int reason = errno;
    close(client);
    if (reason != EINTR) {
      throw std::logic_error(std::string("the server does not answer any more: ") +
                             std::strerror(reason));
    }
  }
}

std::string answer_to(const std::string& question, int port) {
  const int client = connected_to(port);
  std::string answer;
  (void)retried([&] { return send(client, question.data(), question.size(), MSG_NOSIGNAL); });
  shutdown(client, SHUT_WR);
  std::array<char, 4096> block{};
  for (ssize_t got = 1; got > 0;) {
    got = retried([&] { return recv(client, block.data(), block.size(), 0); });
    answer.append(block.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  close(client);
  return answer;
}

}  // namespace

bool take_in_request(std::string_view bytes) {
  static Servers servers;
  if (bytes.empty()) {
    return false;
  }
  const bool is_page = bytes[0] % 2 == 0;
  const std::string& word = is_page ? servers.page_word : servers.trace_word;
  const std::string question = with_word(bytes.substr(1), word);
  const std::string answer =
      answer_to(question, is_page ? servers.pages.port() : servers.trace->port());
  if (!answer.empty() && !answer.starts_with("HTTP/1.")) {
    throw std::logic_error("no answer of a server: " + answer);
  }
  const bool is_given = answer.find(kSecret) != std::string::npos;
  if (is_given && bytes.find('@') == std::string_view::npos) {
    throw std::logic_error("given to who does not know the address: " + question);
  }
  return is_given;
}

}  // namespace tune::fuzz
