#include "base/error.h"
#include "trace_text.h"

#include <gtest/gtest.h>

#include <zlib.h>
#include <zstd.h>

namespace tune::profile {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

struct Text {
  std::string text, damage, compression;
};

Text read_all(const std::string& bytes, const ExpansionLimits& limits = {}) {
  const auto source = decompressed(std::make_unique<MemorySource>(bytes), "packed", limits);
  Text all;
  std::string part(1000, ' ');
  for (std::size_t count = source->read(part.data(), part.size()); count > 0;
       count = source->read(part.data(), part.size())) {
    all.text.append(part, 0, count);
  }
  all.damage = source->damage();
  all.compression = source->compression();
  return all;
}

const std::string& long_text() {
  static const std::string text = [] {
    std::string all;
    for (int i = 0; i < 3000; ++i) {
      all += "row " + std::to_string(i * 7919 % 3001) + "\n";
    }
    return all;
  }();
  return text;
}

TEST(ByteSource, ReadsPlainGzipAndZstdByWhatTheyBeginWith) {
  for (const auto& [packed, compression] : {std::pair(long_text(), "none"),
                                            std::pair(gzip(long_text()), "gzip"),
                                            std::pair(zstd(long_text()), "zstd")}) {
    const Text text = read_all(packed);
    EXPECT_EQ(text.text, long_text()) << compression;
    EXPECT_EQ(text.compression, compression);
    EXPECT_EQ(text.damage, "");
  }
  EXPECT_EQ(read_all("").text, "");
  EXPECT_EQ(read_all("[").text, "[");
}

TEST(ByteSource, ReadsAllMembersAndFrames) {
  EXPECT_EQ(read_all(gzip("one ") + gzip("") + gzip("two")).text, "one two");
  EXPECT_EQ(read_all(gzip("one ") + std::string(512, '\0')).text, "one ");
  EXPECT_EQ(read_all(zstd("one ") + zstd("two")).text, "one two");
}

TEST(ByteSource, TellsWhatEndsTooEarlyAndWhatIsDamaged) {
  for (const auto& pack : {gzip, zstd}) {
    const std::string packed = pack(long_text());
    const Text cut = read_all(packed.substr(0, packed.size() / 2));
    EXPECT_NE(cut.damage.find("end too early (byte"), std::string::npos) << cut.damage;
    EXPECT_EQ(cut.text, long_text().substr(0, cut.text.size()));
  }
  std::string damaged = gzip(long_text());
  damaged[damaged.size() / 2] ^= 0x55;
  damaged[damaged.size() / 2 + 1] ^= 0x55;
  EXPECT_NE(read_all(damaged).damage, "");
}

TEST(ByteSource, RefusesBombs) {
  const std::string zeros(3 << 20, '0');
  const ExpansionLimits strict{.ratio = 100, .ratio_from_bytes = 1 << 20};
  EXPECT_THROW(read_all(gzip(zeros), strict), Error);
  EXPECT_THROW(read_all(zstd(zeros), strict), Error);
  EXPECT_THROW(read_all(gzip(long_text()), {.total_bytes = 5000}), Error);
  EXPECT_EQ(read_all(gzip(zeros)).text.size(), zeros.size());
}

}  // namespace
}  // namespace tune::profile
