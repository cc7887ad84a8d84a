#include "dataset/generated_tokens.h"

#include "dataset/data_cache.h"
#include "dataset/manifest.h"
#include "scratch_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune::dataset {
namespace {

namespace fs = std::filesystem;

const TokenSpec kFew = {.tokens = 100'000, .vocabulary = 1'000, .seed = 3};

std::vector<std::uint16_t> tokens_in(const TokenSet& set) {
  const TokenBin bin(set.file);
  return {bin.tokens().begin(), bin.tokens().end()};
}

TEST(GeneratedTokens, AreAFileWithAManifest) {
  const ScratchFolder cache;
  const TokenSet set = make_generated_tokens(kFew, cache.path());
  EXPECT_EQ(set.file, cache.path() / "data/tokens-100000-1000v-seed3/tokens.bin");
  EXPECT_EQ(set.tokens, 100'000);
  EXPECT_EQ(static_cast<std::uintmax_t>(set.bytes), fs::file_size(set.file));
  const std::string text = slurp(set.file.parent_path() / kManifestName);
  EXPECT_EQ(parse_token_manifest(text, "m").spec, kFew);
  EXPECT_EQ(to_text(parse_token_manifest(text, "m")), text);
}

// Zipf's law: the second comes half as often as the first, the tenth a tenth as often.
TEST(GeneratedTokens, ComeAsOftenAsWordsOfALanguage) {
  const ScratchFolder cache;
  std::map<std::uint16_t, std::int64_t> counts;
  for (const std::uint16_t token : tokens_in(make_generated_tokens(kFew, cache.path()))) {
    ASSERT_LT(token, 1'000);
    ++counts[token];
  }
  std::vector<double> frequent;
  for (const auto& [token, count] : counts) {
    frequent.push_back(static_cast<double>(count));
  }
  std::sort(frequent.rbegin(), frequent.rend());
  ASSERT_GT(frequent.size(), 900U);
  EXPECT_NEAR(frequent[0] / 100'000, 1 / 7.485, 0.01) << "of the sum of 1/k up to 1,000";
  EXPECT_NEAR(frequent[1] / frequent[0], 0.5, 0.05);
  EXPECT_NEAR(frequent[9] / frequent[0], 0.1, 0.02);
}

TEST(GeneratedTokens, AreTheSameForTheSameSpecOnly) {
  const ScratchFolder one, other;
  const auto first = tokens_in(make_generated_tokens(kFew, one.path()));
  EXPECT_EQ(tokens_in(make_generated_tokens(kFew, other.path())), first);
  TokenSpec seeded = kFew;
  seeded.seed = 4;
  EXPECT_NE(tokens_in(make_generated_tokens(seeded, one.path())), first);
}

TEST(GeneratedTokens, AreMadeOnceAndAgainWhenTheyAreDamaged) {
  const ScratchFolder cache;
  const TokenSet first = make_generated_tokens(kFew, cache.path());
  const auto written = fs::last_write_time(first.file);
  EXPECT_EQ(make_generated_tokens(kFew, cache.path()).manifest_sha256, first.manifest_sha256);
  EXPECT_EQ(fs::last_write_time(first.file), written);
  fs::resize_file(first.file, 10);
  EXPECT_FALSE(find_generated_tokens(kFew, cache.path()).has_value());
  EXPECT_EQ(make_generated_tokens(kFew, cache.path()).manifest_sha256, first.manifest_sha256);
  EXPECT_EQ(fs::file_size(first.file), 200'000U);
}

TEST(GeneratedTokens, LeaveNothingWhenMakingIsGivenUp) {
  const ScratchFolder cache;
  const OnProgress give_up = [](const MakingProgress&) { throw std::runtime_error("enough"); };
  EXPECT_EQ(complaint_of([&] { make_generated_tokens(kFew, cache.path(), give_up); }), "enough");
  EXPECT_TRUE(fs::is_empty(cache.path() / "data"));
}

TEST(GeneratedTokens, AreListedCheckedAndRemovedAsImagesAre) {
  const ScratchFolder cache;
  const TokenSet set = make_generated_tokens(kFew, cache.path());
  const fs::path root = set.file.parent_path();
  const auto sets = list_sets(cache.path());
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_EQ(sets[0].name, set_name(kFew));
  EXPECT_EQ(sets[0].tokens, kFew);
  EXPECT_EQ(sets[0].set.manifest_sha256, set.manifest_sha256);
  EXPECT_EQ(sets[0].problem, "");
  EXPECT_TRUE(check_set(root, CheckDepth::contents).empty());
  std::string changed = slurp(set.file);
  changed.front() = static_cast<char>(changed.front() + 1);
  std::ofstream(set.file, std::ios::binary) << changed;
  std::ofstream(root / "more.txt") << "x";
  const std::vector<std::string> expected = {
      "more.txt: does not belong to the set",
      "tokens.bin: has other contents than when it was made"};
  EXPECT_EQ(check_set(root, CheckDepth::contents), expected);
  EXPECT_EQ(list_sets(cache.path()).at(0).problem, expected[0]);
  remove_set(cache.path(), set_name(kFew));
  EXPECT_FALSE(fs::exists(root));
}

TEST(GeneratedTokens, RefuseAWrongSpecAndADamagedManifest) {
  const ScratchFolder cache;
  const auto complaint = [&](const TokenSpec& spec) {
    return complaint_of([&] { make_generated_tokens(spec, cache.path()); });
  };
  EXPECT_EQ(complaint({.tokens = 1}), "data: the number of tokens is 1 (must be 2 to 1000000000)");
  EXPECT_EQ(complaint({.tokens = 10, .vocabulary = 65'537}),
            "data: the vocabulary is 65537 (must be 128 to 65536)");
  const std::string hash(64, 'a');
  for (const std::string& text :
       {std::string("tune-tokens 1\n"),
        "tune-tokens 1\ngenerator 1\ntokens x\nvocabulary 9\nseed 0\nsha256 " + hash + "\n",
        "tune-tokens 1\ngenerator 1\ntokens 9\nvocabulary 200\nseed 0\nsha256 " + hash,
        "tune-tokens 12\ngenerator 1\ntokens 9\nvocabulary 200\nseed 0\nsha256 " + hash + "\n"}) {
    EXPECT_EQ(complaint_of([&] { parse_token_manifest(text, "m"); }),
              "m: is not a manifest of tokens (the set is damaged or was not made by tune)")
        << text;
  }
}

}  // namespace
}  // namespace tune::dataset
