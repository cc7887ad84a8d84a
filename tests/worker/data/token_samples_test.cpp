#include "worker/data/token_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tune::worker {
namespace {

struct Row {
  std::vector<std::int64_t> tokens, labels;
  bool operator==(const Row&) const = default;
};

std::vector<std::uint16_t> counting(std::int64_t tokens) {
  std::vector<std::uint16_t> window(static_cast<std::size_t>(tokens));
  std::iota(window.begin(), window.end(), std::uint16_t{1'000});
  return window;
}

Row row_of(const TokenTask& task, std::uint64_t sample) {
  const auto length = static_cast<std::size_t>(task.sequence_length);
  Row row{std::vector<std::int64_t>(length), std::vector<std::int64_t>(length)};
  fill_token_sample(task,
                    counting(task.window()),
                    RandomStream(RandomStream::Purpose::mask, 7, 0, sample),
                    row.tokens.data(),
                    row.labels.data());
  return row;
}

TEST(TokenSamples, OfTheNextTokenLabelEachByWhatFollows) {
  const TokenTask task{TokenTask::Labels::next, 4, 30'000};
  EXPECT_EQ(task.window(), 5);
  EXPECT_EQ(row_of(task, 0), (Row{{1000, 1001, 1002, 1003}, {1001, 1002, 1003, 1004}}));
}

TEST(TokenSamples, OfHiddenTokensLabelThoseAlone) {
  const TokenTask task{TokenTask::Labels::masked, 512, 30'000};
  EXPECT_EQ(task.window(), 512);
  std::int64_t asked = 0, masked = 0, kept = 0, rows = 0;
  for (std::uint64_t sample = 0; sample < 200; ++sample, ++rows) {
    const Row row = row_of(task, sample);
    for (std::size_t i = 0; i < row.tokens.size(); ++i) {
      const auto original = static_cast<std::int64_t>(1'000 + i);
      if (row.labels[i] == kNoLabel) {
        ASSERT_EQ(row.tokens[i], original) << "it is not predicted";
        continue;
      }
      ASSERT_EQ(row.labels[i], original);
      ASSERT_LT(row.tokens[i], 30'000);
      ++asked;
      masked += row.tokens[i] == kMaskToken ? 1 : 0;
      kept += row.tokens[i] == original ? 1 : 0;
    }
  }
  const auto share = [](std::int64_t part, std::int64_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
  };
  EXPECT_NEAR(share(asked, 512 * rows), 0.15, 0.01);
  EXPECT_NEAR(share(masked, asked), 0.8, 0.02);
  EXPECT_NEAR(share(kept, asked), 0.1, 0.02);
}

TEST(TokenSamples, HideAtLeastOneTokenOfEach) {
  const TokenTask task{TokenTask::Labels::masked, 8, 30'000};
  for (std::uint64_t sample = 0; sample < 500; ++sample) {
    const Row row = row_of(task, sample);
    EXPECT_LT(std::count(row.labels.begin(), row.labels.end(), kNoLabel), 8) << sample;
  }
}

TEST(TokenSamples, DependOnTheirKeyAlone) {
  const TokenTask task{TokenTask::Labels::masked, 64, 30'000};
  EXPECT_EQ(row_of(task, 1), row_of(task, 1));
  EXPECT_NE(row_of(task, 1), row_of(task, 2));
}

TEST(TokenSamples, KnowWhichTokensAModelLacks) {
  const std::vector<std::uint16_t> window = {5, 255, 256, 300};
  EXPECT_EQ(find_stranger(window, 256), 2U);
  EXPECT_EQ(find_stranger(window, 301), std::nullopt);
}

TEST(TokenSamples, TheTaskIsThatOfTheModel) {
  trial::Workload workload;
  workload.model = "bert-base";
  EXPECT_EQ(token_task(workload).labels, TokenTask::Labels::masked);
  EXPECT_EQ(token_task(workload).sequence_length, 128);
  workload.model = "gpt-small";
  workload.params = {{"sequence_length", std::int64_t{32}}};
  EXPECT_EQ(token_task(workload).labels, TokenTask::Labels::next);
  EXPECT_EQ(token_task(workload).window(), 33);
  EXPECT_EQ(token_task(workload).vocabulary, 50'257);
  workload.model = "plugin:libmine.so";
  workload.own.kind = trial::OwnModel::Kind::plugin;
  workload.own.input = {64};
  workload.own.input_type = trial::OwnModel::InputType::int64;
  EXPECT_EQ(token_task(workload).labels, TokenTask::Labels::next);
  EXPECT_EQ(token_task(workload).sequence_length, 64);
  EXPECT_EQ(token_task(workload).vocabulary, 1000) << "the classes";
}

}  // namespace
}  // namespace tune::worker
