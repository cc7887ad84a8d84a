// Replies and specs changed at random from fixed seeds: the parsers either accept them or say what
// is wrong, and never do anything else.

#include "../trial/sample_trial.h"
#include "base/error.h"
#include "mutator.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::trial {
namespace {

using fuzz::Mutator;

// Counts the mutations that were still accepted, and checks that those can be written again.
template <class Parse>
int understood_of(const std::string& text, std::uint64_t seed, int times, Parse parse) {
  Mutator mutator(seed);
  int understood = 0;
  for (int i = 0; i < times; ++i) {
    const std::string mutated = mutator.mutate(text);
    try {
      const auto read = parse(mutated, "fuzz.json");
      EXPECT_NO_THROW(parse(to_json(read), "again.json")) << mutated;
      ++understood;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("fuzz.json: ")) << error.what();
    }
  }
  return understood;
}

class Fuzz : public testing::TestWithParam<int> {};

TEST_P(Fuzz, MutatedRepliesAreUnderstoodOrRefused) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const int understood = understood_of(to_json(sample_reply()), seed, 600, parse_trial_reply);
  EXPECT_LT(understood, 400);  // the mutations do reach the checked code
}

TEST_P(Fuzz, MutatedSpecsAreUnderstoodOrRefused) {
  const auto seed = static_cast<std::uint64_t>(GetParam()) + 1000;
  const int understood = understood_of(to_json(sample_spec()), seed, 600, parse_trial_spec);
  EXPECT_LT(understood, 400);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Fuzz, testing::Range(0, 8));

}  // namespace
}  // namespace tune::trial
