#include "dataset/token_bin.h"

#include "scratch_folder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::dataset {
namespace {

std::string bytes_of(const std::vector<std::uint16_t>& tokens) {
  return {reinterpret_cast<const char*>(tokens.data()), tokens.size() * sizeof(std::uint16_t)};
}

TEST(TokenBin, HoldsWhatTheFileHolds) {
  const ScratchFolder folder;
  const std::vector<std::uint16_t> tokens = {1, 50'256, 65'535, 0};
  folder.write("a.bin", bytes_of(tokens));
  const TokenBin bin(folder.path() / "a.bin");
  EXPECT_EQ(std::vector<std::uint16_t>(bin.tokens().begin(), bin.tokens().end()), tokens);
}

TEST(TokenBin, RefusesWhatHoldsNoTokens) {
  const ScratchFolder folder;
  folder.write("empty.bin", "");
  folder.write("odd.bin", "abc");
  const auto complaint = [&](const char* name) {
    return complaint_of([&] { const TokenBin bin(folder.path() / name); });
  };
  EXPECT_PRED2(contains, complaint("no-such.bin"), "no-such.bin: cannot be read (No such file");
  EXPECT_PRED2(
      contains, complaint("empty.bin"), "is empty (a token-bin contains tokens of 16 bits)");
  EXPECT_PRED2(
      contains,
      complaint("odd.bin"),
      "ends in the middle of a token (3 bytes are not a whole number of tokens of 16 bits)");
  EXPECT_PRED2(contains, complaint("."), "is not a file");
}

TEST(TokenBin, IsNamedByItsSizeItsBeginAndItsEnd) {
  const ScratchFolder folder;
  std::vector<std::uint16_t> tokens(2'000'000, 7);
  folder.write("a.bin", bytes_of(tokens));
  const TokenSet set = describe_token_bin(folder.path() / "a.bin");
  EXPECT_EQ(set.tokens, 2'000'000);
  EXPECT_EQ(set.bytes, 4'000'000);
  EXPECT_EQ(set.manifest_sha256.size(), 64U);
  const auto hash_after = [&](std::size_t place) {
    std::vector<std::uint16_t> changed = tokens;
    changed[place] = 8;
    folder.write("b.bin", bytes_of(changed));
    return describe_token_bin(folder.path() / "b.bin").manifest_sha256;
  };
  EXPECT_NE(hash_after(0), set.manifest_sha256);
  EXPECT_NE(hash_after(tokens.size() - 1), set.manifest_sha256);
  tokens.pop_back();
  EXPECT_NE(hash_after(0), set.manifest_sha256);
}

TEST(TokenBin, SequencesDoNotOverlapAndKnowWhatFollows) {
  TokenSet set;
  set.file = "a.bin";
  set.tokens = 33;
  EXPECT_EQ(count_sequences(set, 16), 2);
  EXPECT_EQ(count_sequences(set, 32), 1);
  EXPECT_EQ(complaint_of([&] { count_sequences(set, 33); }),
            "a.bin: holds 33 tokens (a sequence takes 33 and the one after it) a shorter "
            "workload.params.sequence_length?");
  EXPECT_PRED2(contains,
               complaint_of([&] { count_sequences(set, 33, "workload.input"); }),
               "a shorter workload.input?");
}

}  // namespace
}  // namespace tune::dataset
