#include "report/viewer/trace_server.h"

#include "base/error.h"
#include "trace_file.h"

#include <httplib.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace tune::viewer {

namespace {

class LookAtFile : public TraceFiles {};

TEST_F(LookAtFile, SaysHowLargeItIsAndWhatItIsCalled) {
  const ServedFile file = look_at_file(write("my trace.json", "[{}]"));
  EXPECT_EQ(file.name, "my_trace.json");
  EXPECT_EQ(file.bytes, 4);
  EXPECT_FALSE(file.is_unpacked);
}

TEST_F(LookAtFile, SeesZstdByItsBytesAndDropsItsEnding) {
  const ServedFile file = look_at_file(write("t.json.zst", packed_with_zstd("[{}]")));
  EXPECT_TRUE(file.is_unpacked);
  EXPECT_EQ(file.name, "t.json");
  EXPECT_EQ(look_at_file(write("u.json", packed_with_zstd("[{}]"))).name, "u.json");
  EXPECT_EQ(look_at_file(write("plain.zst", "[{}]")).name, "plain.zst");
}

TEST_F(LookAtFile, ComplainsOfWhatCannotBeShown) {
  EXPECT_THROW(look_at_file(write("empty.json", "")), Error);
  EXPECT_THROW(look_at_file(folder_ / "none.json"), Error);
  EXPECT_THROW(look_at_file(folder_), Error);
}

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();
constexpr const char* kOrigin = "https://ui.perfetto.dev";

// What stands behind "url=" in a page's address, taken apart.
struct Target {
  int port = 0;
  std::string path;
};

Target target_of(const std::string& address) {
  const std::string before = "url=http://127.0.0.1:";
  const std::size_t port = address.find(before) + before.size();
  const std::size_t path = address.find('/', port);
  return {std::stoi(address.substr(port, path - port)), address.substr(path)};
}

// Below a word of 32 digits.
bool is_secret(const std::string& path, const std::string& name) {
  constexpr std::size_t kDigits = 32;
  return path.size() == 1 + kDigits + 1 + name.size() && path.ends_with("/" + name) &&
         path.substr(1, kDigits).find_first_not_of("0123456789abcdef") == std::string::npos;
}

// On any port; over as soon as the file was fetched.
ShowSettings soon() {
  return {.port = 0, .patience = {.limit_ns = kForever, .linger_ns = 0}};
}

class ServeTrace : public TraceFiles {
 protected:
  // Serves the file, does `visit` as a browser would, and says how it ended. Ended by hand where
  // the visit fetches nothing.
  template <class Visit>
  Shown serve(const std::filesystem::path& file, bool fetches, Visit visit) {
    std::atomic<int> stop = 0;
    return serve_trace(
        file,
        soon(),
        [&](const std::string& address, int) {
          const Target target = target_of(address);
          httplib::Client browser("127.0.0.1", target.port);
          visit(browser, target.path);
          stop = fetches ? 0 : 1;
        },
        stop);
  }
};

// More than one block, and nothing that packs well.
std::string large_bytes() {
  std::string bytes = "[";
  for (std::uint32_t state = 1; bytes.size() < 300'000;) {
    state = state * 1664525U + 1013904223U;
    bytes += static_cast<char>(state >> 24U);
  }
  return bytes;
}

TEST_F(ServeTrace, GivesTheBytesAsStoredToPerfettoAndEnds) {
  const auto file = write("t.json", large_bytes());
  const Shown shown = serve(file, true, [](httplib::Client& browser, const std::string& path) {
    EXPECT_PRED2(is_secret, path, "t.json");
    const auto answer = browser.Get(path, {{"Origin", kOrigin}});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_TRUE(answer->body == large_bytes());
    EXPECT_EQ(answer->get_header_value("Access-Control-Allow-Origin"), kOrigin);
  });
  EXPECT_EQ(shown.ending, Ending::fetched);
  EXPECT_EQ(shown.trouble, "");
}

// Perfetto unpacks it; a Content-Encoding would have the browser do so, in one piece.
TEST_F(ServeTrace, GivesGzipAsGzip) {
  const std::string packed(
      "\x1f\x8b\x08\0\0\0\0\0\x02\x03\x8b\xae\xae\x8d\x05\0\xfc\xfa\xa7\xea\x04\0\0\0", 24);
  const auto file = write("t.json.gz", packed);
  serve(file, true, [&](httplib::Client& browser, const std::string& path) {
    EXPECT_PRED2(is_secret, path, "t.json.gz");
    const auto answer = browser.Get(path, {{"Accept-Encoding", "gzip"}});
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->body == packed);
    EXPECT_EQ(answer->get_header_value("Content-Encoding"), "");
  });
}

TEST_F(ServeTrace, UnpacksZstd) {
  const std::string text(200'000, ' ');
  const auto file = write("t.json.zst", packed_with_zstd("[" + text + "]"));
  const Shown shown = serve(file, true, [&](httplib::Client& browser, const std::string& path) {
    EXPECT_PRED2(is_secret, path, "t.json");
    const auto answer = browser.Get(path);
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->body == "[" + text + "]");
  });
  EXPECT_EQ(shown.ending, Ending::fetched);
}

TEST_F(ServeTrace, SaysThatZstdEndsTooEarly) {
  const std::string packed = packed_with_zstd(large_bytes());
  const auto file = write("t.json.zst", packed.substr(0, packed.size() / 2));
  const Shown shown = serve(
      file, true, [](httplib::Client& browser, const std::string& path) { browser.Get(path); });
  EXPECT_EQ(shown.ending, Ending::fetched);
  EXPECT_NE(shown.trouble, "");
}

TEST_F(ServeTrace, NeitherALookNorAPartIsAFetch) {
  const auto file = write("t.json", large_bytes());
  const Shown shown = serve(file, false, [](httplib::Client& browser, const std::string& path) {
    const auto look = browser.Head(path);
    ASSERT_TRUE(look);
    EXPECT_EQ(look->get_header_value("Content-Length"), std::to_string(large_bytes().size()));
    const auto part = browser.Get(path, {httplib::make_range_header({{10, 19}})});
    ASSERT_TRUE(part);
    EXPECT_TRUE(part->body == large_bytes().substr(10, 10));
  });
  EXPECT_EQ(shown.ending, Ending::stopped);
}

TEST_F(ServeTrace, NoTwoAddressesAreAlike) {
  const auto file = write("t.json", "[{}]");
  std::set<std::string> paths;
  for (int i = 0; i < 2; ++i) {
    serve(file, false, [&](httplib::Client&, const std::string& path) { paths.insert(path); });
  }
  EXPECT_EQ(paths.size(), 2U);
}

TEST_F(ServeTrace, HasNothingButThisFile) {
  const auto file = write("t.json", "[{}]");
  write("secret.json", "[]");
  const Shown shown = serve(file, false, [](httplib::Client& browser, const std::string& secret) {
    const std::string folder = secret.substr(0, secret.rfind('/'));
    std::vector<std::string> paths = {"/", "/t.json", folder, secret + "/"};
    for (const std::string& below : {std::string(), folder}) {
      for (const char* const path :
           {"/", "/secret.json", "/../secret.json", "/%2e%2e/secret.json", "//t.json", "/T.JSON"}) {
        paths.push_back(below + path);
      }
    }
    for (const std::string& path : paths) {
      const auto answer = browser.Get(path);
      ASSERT_TRUE(answer) << path;
      EXPECT_EQ(answer->status, 404) << path;
      EXPECT_EQ(answer->body, "not found\n") << "what is there is nobody's business";
    }
  });
  EXPECT_EQ(shown.ending, Ending::stopped);
}

TEST_F(ServeTrace, ChangesNothing) {
  const auto file = write("t.json", "[{}]");
  serve(file, false, [](httplib::Client& browser, const std::string& path) {
    const auto expect_refused = [](const httplib::Result& answer) {
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->status, 405);
      EXPECT_EQ(answer->get_header_value("Allow"), "GET, HEAD, OPTIONS");
    };
    expect_refused(browser.Post(path, "x", "text/plain"));
    expect_refused(browser.Put(path, "x", "text/plain"));
    expect_refused(browser.Delete(path));
    expect_refused(browser.Post("/status"));  // Perfetto looks for a trace_processor
  });
  EXPECT_EQ(std::filesystem::file_size(file), 4U);
}

TEST_F(ServeTrace, AnswersThePreflightOfPerfettoAlone) {
  const auto file = write("t.json", "[{}]");
  serve(file, false, [](httplib::Client& browser, const std::string& path) {
    const auto ask = [&](const char* origin) {
      const auto answer = browser.Options(path,
                                          {{"Origin", origin},
                                           {"Access-Control-Request-Method", "GET"},
                                           {"Access-Control-Request-Private-Network", "true"}});
      EXPECT_TRUE(answer);
      return answer ? answer.value() : httplib::Response();
    };
    const httplib::Response allowed = ask(kOrigin);
    EXPECT_EQ(allowed.status, 204);
    EXPECT_EQ(allowed.get_header_value("Access-Control-Allow-Origin"), kOrigin);
    EXPECT_EQ(allowed.get_header_value("Access-Control-Allow-Private-Network"), "true");
    const httplib::Response refused = ask("https://elsewhere.example");
    EXPECT_EQ(refused.get_header_value("Access-Control-Allow-Origin"), kOrigin);
    EXPECT_FALSE(refused.has_header("Access-Control-Allow-Private-Network"));
  });
}

TEST_F(ServeTrace, RefusesAHostNameThatIsNotThisMachine) {
  const auto file = write("t.json", "[{}]");
  const Shown shown = serve(file, false, [](httplib::Client& browser, const std::string& path) {
    const auto answer = browser.Get(path, {{"Host", "rebound.example:9001"}});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 403);
    EXPECT_EQ(answer->body.find("[{}]"), std::string::npos);
  });
  EXPECT_EQ(shown.ending, Ending::stopped);
}

TEST_F(ServeTrace, AForwardedPortMayHaveAnotherNumber) {
  const auto file = write("t.json", "[{}]");
  const Shown shown = serve(file, true, [](httplib::Client& browser, const std::string& path) {
    const auto answer = browser.Get(path, {{"Host", "localhost:12345"}});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
  });
  EXPECT_EQ(shown.ending, Ending::fetched);
}

TEST_F(ServeTrace, GivesUpWhenNobodyComes) {
  const std::atomic<int> stop = 0;
  const Shown shown = serve_trace(
      write("t.json", "[{}]"), {.port = 0, .patience = {}}, [](const std::string&, int) {}, stop);
  EXPECT_EQ(shown.ending, Ending::timed_out);
}

TEST_F(ServeTrace, SaysThatThePortIsTaken) {
  const auto file = write("t.json", "[{}]");
  std::atomic<int> stop = 0;
  serve_trace(
      file,
      soon(),
      [&](const std::string& address, int) {
        const Shown second = serve_trace(
            file,
            {.port = target_of(address).port, .patience = {}},
            [](const std::string&, int) { FAIL() << "nothing is served"; },
            stop);
        EXPECT_EQ(second.ending, Ending::no_port);
        EXPECT_EQ(second.trouble, "Address already in use");
        stop = 1;
      },
      stop);
}

TEST_F(ServeTrace, SaysThatTheFileBecameShorter) {
  const auto file = write("t.json", large_bytes());
  const Shown shown = serve(file, false, [&](httplib::Client& browser, const std::string& path) {
    write("t.json", "[");
    EXPECT_FALSE(browser.Get(path));
  });
  EXPECT_EQ(shown.ending, Ending::stopped);
  EXPECT_EQ(shown.trouble, "the file became shorter while it was read");
}

TEST_F(ServeTrace, ComplainsBeforeItServes) {
  EXPECT_THROW(serve(folder_ / "none.json", true, [](httplib::Client&, const std::string&) {}),
               Error);
}

}  // namespace

}  // namespace tune::viewer
