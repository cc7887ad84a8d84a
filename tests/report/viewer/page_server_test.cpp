#include "report/viewer/page_server.h"

#include "trace_file.h"

#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace tune::viewer {
namespace {

namespace fs = std::filesystem;

// A browser at the server's port, and the word below which its pages are.
class Browser {
 public:
  explicit Browser(const PageServer& server)
      : client("127.0.0.1", server.port()), prefix(prefix_of(server)) {}

  httplib::Client client;
  std::string prefix;  // "/0f3a.../"

 private:
  static std::string prefix_of(const PageServer& server) {
    const std::string before = "http://127.0.0.1:" + std::to_string(server.port());
    EXPECT_TRUE(server.address().starts_with(before)) << server.address();
    return server.address().substr(before.size());
  }
};

void start(PageServer& server) {
  std::string why;
  ASSERT_TRUE(server.start(0, why)) << why;
}

// Waits for what another thread does, at most five seconds.
template <class Condition>
bool comes_true(Condition condition) {
  constexpr auto kLook = std::chrono::milliseconds(2);
  for (int i = 0; i < 2'500; ++i) {
    if (condition()) {
      return true;
    }
    std::this_thread::sleep_for(kLook);
  }
  return false;
}

class Pages : public TraceFiles {};

TEST_F(Pages, AreGivenAtTheirNamesAndTheFirstAtTheAddress) {
  PageServer server({});
  server.put("report.html", "<p>report</p>");
  server.put_file("trials/r1-c07/stderr.log", write("stderr.log", std::string(200'000, 'x')));
  server.put_file("empty.log", write("empty.log", ""));
  start(server);
  Browser browser(server);
  EXPECT_EQ(browser.prefix.size(), 34U);
  for (const char* const name : {"", "report.html"}) {
    const auto page = browser.client.Get(browser.prefix + name);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->status, 200);
    EXPECT_EQ(page->body, "<p>report</p>");
    EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(page->get_header_value("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(page->get_header_value("Referrer-Policy"), "no-referrer");
    EXPECT_FALSE(page->has_header("Access-Control-Allow-Origin"));
  }
  const auto log = browser.client.Get(browser.prefix + "trials/r1-c07/stderr.log");
  ASSERT_TRUE(log);
  EXPECT_TRUE(log->body == std::string(200'000, 'x'));
  const auto empty = browser.client.Get(browser.prefix + "empty.log");
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->status, 200);
  EXPECT_EQ(empty->body, "");
}

TEST_F(Pages, AreNeitherPackedNorGuessed) {
  PageServer server({});
  server.put("report.html", std::string(10'000, 'x'));
  start(server);
  Browser browser(server);
  const auto page = browser.client.Get(browser.prefix, {{"Accept-Encoding", "gzip, br"}});
  ASSERT_TRUE(page);
  EXPECT_EQ(page->get_header_value("Content-Encoding"), "");
  EXPECT_EQ(page->get_header_value("Content-Length"), "10000");
  PageServer other({});
  start(other);
  EXPECT_NE(Browser(other).prefix, browser.prefix);
}

TEST_F(Pages, AreAllThatThereIs) {
  fs::create_directories(folder_ / "run");
  write("secret", "secret");
  PageServer server({});
  server.put("report.html", "<p>report</p>");
  server.put_file("stderr.log", write("run/stderr.log", "log"));
  start(server);
  Browser browser(server);
  const std::string below = browser.prefix;
  for (const std::string& path : {std::string("/"),
                                  std::string("/report.html"),
                                  std::string("/etc/passwd"),
                                  below.substr(0, below.size() - 1),
                                  below + "../secret",
                                  below + "%2e%2e/secret",
                                  below + "%2e%2e%2fsecret",
                                  below + "..%5csecret",
                                  below + "./stderr.log",
                                  below + "/stderr.log",
                                  below + "stderr.log/",
                                  below + "stderr.log%00.html",
                                  below + "trials/../stderr.log",
                                  below + "%252e%252e/secret",
                                  below + (folder_ / "secret").string(),
                                  below + "REPORT.HTML",
                                  below + "events",
                                  below + "a%0ab",
                                  below + std::string(8'000, 'a')}) {
    const auto answer = browser.client.Get(path);
    ASSERT_TRUE(answer) << path;
    EXPECT_EQ(answer->status, 404) << path;
    EXPECT_EQ(answer->body, "not found\n") << path;
  }
}

TEST_F(Pages, OfAFileThatIsGoneAreNotFound) {
  PageServer server({});
  const fs::path file = write("stderr.log", "log");
  server.put_file("stderr.log", file);
  start(server);
  Browser browser(server);
  fs::remove(file);
  const auto answer = browser.client.Get(browser.prefix + "stderr.log");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 404);
}

TEST_F(Pages, AreOnlyGiven) {
  PageServer server({});
  server.put("report.html", "<p>report</p>");
  start(server);
  Browser browser(server);
  const auto expect_refused = [](const httplib::Result& answer) {
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 405);
    EXPECT_EQ(answer->get_header_value("Allow"), "GET, HEAD");
    EXPECT_EQ(answer->body.find("report"), std::string::npos);
  };
  const std::string page = browser.prefix + "report.html";
  expect_refused(browser.client.Post(page, "x", "text/plain"));
  expect_refused(browser.client.Put(page, "x", "text/plain"));
  expect_refused(browser.client.Patch(page, "x", "text/plain"));
  expect_refused(browser.client.Delete(page));
  expect_refused(browser.client.Options(page));
}

TEST_F(Pages, AreAlsoLookedAt) {
  PageServer server({});
  server.put("report.html", "<p>report</p>");
  start(server);
  Browser browser(server);
  const auto look = browser.client.Head(browser.prefix);
  ASSERT_TRUE(look);
  EXPECT_EQ(look->status, 200);
  EXPECT_EQ(look->get_header_value("Content-Length"), "13");
  EXPECT_EQ(look->body, "");
  EXPECT_EQ(server.times_given("report.html"), 0);
}

TEST_F(Pages, AreNotForOtherHostNames) {
  PageServer server({});
  server.put("report.html", "<p>report</p>");
  start(server);
  Browser browser(server);
  for (const char* const host : {"rebound.example",
                                 "rebound.example:80",
                                 "127.0.0.1.example",
                                 "localhost.example",
                                 "[::1]"}) {
    const auto answer = browser.client.Get(browser.prefix, {{"Host", host}});
    ASSERT_TRUE(answer) << host;
    EXPECT_EQ(answer->status, 403) << host;
    EXPECT_EQ(answer->body.find("report"), std::string::npos) << host;
  }
  for (const char* const host : {"localhost", "localhost:9", "127.0.0.1:9"}) {  // a forwarded port
    const auto answer = browser.client.Get(browser.prefix, {{"Host", host}});
    ASSERT_TRUE(answer) << host;
    EXPECT_EQ(answer->status, 200) << host;
  }
}

// The library hands on what a browser asks for, also behind the last byte.
TEST_F(Pages, EndWhereTheyEnd) {
  PageServer server({});
  server.put("report.html", "0123456789");
  start(server);
  Browser browser(server);
  const auto part = browser.client.Get(browser.prefix, {httplib::make_range_header({{2, 4}})});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->status, 206);
  EXPECT_EQ(part->body, "234");
  const auto behind =
      browser.client.Get(browser.prefix, {httplib::make_range_header({{8, 1'000}})});
  EXPECT_TRUE(!behind || behind->body == "89");
  const auto again = browser.client.Get(browser.prefix);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->body, "0123456789");
  EXPECT_TRUE(comes_true([&] { return server.times_given("report.html") == 1; }));
}

TEST_F(Pages, TellWhetherTheyWereAskedFor) {
  PageServer server({});
  server.put("report.html", "<p>report</p>");
  start(server);
  Browser browser(server);
  EXPECT_FALSE(server.was_asked());
  browser.client.Get(browser.prefix + "none");
  EXPECT_FALSE(server.was_asked());
  browser.client.Get(browser.prefix);
  EXPECT_TRUE(server.was_asked());
  EXPECT_FALSE(server.was_asked());
}

TEST_F(Pages, MayBeReplaced) {
  PageServer server({});
  server.put("report.html", "old");
  start(server);
  Browser browser(server);
  server.put("report.html", "new");
  const auto page = browser.client.Get(browser.prefix);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->body, "new");
}

TEST_F(Pages, NeedAPort) {
  PageServer server({});
  start(server);
  PageServer second({});
  std::string why;
  EXPECT_FALSE(second.start(server.port(), why));
  EXPECT_EQ(why, "Address already in use");
}

// Follows the stream in a thread until it ends, or until `most` bytes came.
class Follower {
 public:
  explicit Follower(const PageServer& server, std::size_t most = SIZE_MAX)
      : browser_(server), thread_([this, most] {
          browser_.client.Get(browser_.prefix + "events", [&](const char* data, std::size_t size) {
            seen_.append(data, size);
            return seen_.size() < most;
          });
        }) {}
  ~Follower() { end(); }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  std::string end() {
    if (thread_.joinable()) {
      thread_.join();
    }
    return seen_;
  }

 private:
  Browser browser_;
  std::string seen_;
  std::thread thread_;
};

TEST_F(Pages, SendWhatChanges) {
  PageServer server({.has_events = true});
  start(server);
  server.events().publish("one");
  Follower follower(server);
  ASSERT_TRUE(comes_true([&] { return server.events().readers() == 1; }));
  server.events().publish("two");
  server.events().close();
  const std::string seen = follower.end();
  EXPECT_TRUE(seen.ends_with("retry: 2000\ndata: two\n\n")) << seen;
}

TEST_F(Pages, ForgetAReaderThatWentAway) {
  PageServer server({.has_events = true});
  start(server);
  server.events().publish("one");
  Follower follower(server, 1);
  ASSERT_TRUE(comes_true([&] { return server.events().readers() == 1; }));
  follower.end();
  EXPECT_TRUE(comes_true([&] {
    server.events().publish("two");  // it shows when something is sent
    return server.events().readers() == 0;
  }));
}

TEST_F(Pages, AnswerOthersWhileAsManyReadersFollowAsMay) {
  PageServer server({.has_events = true});
  server.put("report.html", "<p>report</p>");
  start(server);
  std::vector<std::unique_ptr<Follower>> followers;
  for (std::size_t i = 0; i < EventFeed::kMostReaders + 2; ++i) {
    followers.push_back(std::make_unique<Follower>(server));
    const std::size_t expected = std::min(i + 1, EventFeed::kMostReaders);
    ASSERT_TRUE(comes_true([&] { return server.events().readers() == expected; }));
  }
  const auto page = Browser(server).client.Get(Browser(server).prefix);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  server.events().close();
}

TEST_F(Pages, EndTheirStreamsWithThem) {
  auto server = std::make_unique<PageServer>(PageServer::Settings{.has_events = true});
  start(*server);
  Follower follower(*server);
  ASSERT_TRUE(comes_true([&] { return server->events().readers() == 1; }));
  server.reset();
  EXPECT_EQ(follower.end(), "");
}

}  // namespace
}  // namespace tune::viewer
