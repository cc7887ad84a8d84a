// Traces, plain and packed, changed at random from fixed seeds: each is read or refused.

#include "mutator.h"
#include "taken_in.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <zlib.h>

namespace tune::fuzz {
namespace {

std::string corpus(const std::string& name) {
  std::ifstream in(std::string(SOURCE_DIR) + "/tests/fuzz/corpus/trace/" + name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string packed(const std::string& text) {
  std::string bytes(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

class TraceFuzz : public testing::TestWithParam<int> {};

TEST_P(TraceFuzz, ChangedTracesAreReadOrRefused) {
  Mutator mutator(static_cast<std::uint64_t>(GetParam()));
  for (const char* const name : {"kineto.json", "broken.json"}) {
    const std::string text = corpus(name);
    ASSERT_TRUE(take_in(text)) << name;
    const std::string bytes = packed(text);
    ASSERT_TRUE(take_in(bytes)) << name;
    int read = 0;
    for (int i = 0; i < 150; ++i) {
      read += take_in(mutator.mutate(text)) ? 1 : 0;
      take_in(mutator.mutate(bytes));
    }
    EXPECT_GT(read, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TraceFuzz, testing::Range(0, 8));

}  // namespace
}  // namespace tune::fuzz
