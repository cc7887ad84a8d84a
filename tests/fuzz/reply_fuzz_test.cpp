// Replies and specs that were changed at random, from fixed seeds: the parsers either understand
// them or say what is wrong, and never do anything else.

#include "../trial/sample_trial.h"
#include "base/error.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace tune::trial {
namespace {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : bits_(seed) {}

  std::string mutate(std::string text) {
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
      change(text);
    }
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return bits_() % limit; }

  void change(std::string& text) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(20));
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      default:
        replace_number(text, at);
    }
  }

  // Puts a hostile value where a number or a text begins next.
  void replace_number(std::string& text, std::size_t at) {
    static const std::vector<std::string> kHostile = {"-1",
                                                      "0",
                                                      "1e999",
                                                      "9223372036854775807",
                                                      "9223372036854775808",
                                                      "18446744073709551616",
                                                      "-9223372036854775808",
                                                      "0.5",
                                                      "null",
                                                      "true",
                                                      "\"\"",
                                                      "\"\\u0000\"",
                                                      "\"\\ud800\"",
                                                      "[]",
                                                      "{}",
                                                      "[[[[[[[[[[[[]]]]]]]]]]]]"};
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) {
      return;
    }
    const std::size_t end = text.find_first_not_of("0123456789.", begin);
    text.replace(begin,
                 end == std::string::npos ? std::string::npos : end - begin,
                 kHostile[below(kHostile.size())]);
  }

  std::mt19937_64 bits_;
};

// Counts the mutations that were still understood, and checks that those can be written again.
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
  EXPECT_LT(understood, 400);  // the mutations do reach what is checked
}

TEST_P(Fuzz, MutatedSpecsAreUnderstoodOrRefused) {
  const auto seed = static_cast<std::uint64_t>(GetParam()) + 1000;
  const int understood = understood_of(to_json(sample_spec()), seed, 600, parse_trial_spec);
  EXPECT_LT(understood, 400);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Fuzz, testing::Range(0, 8));

}  // namespace
}  // namespace tune::trial
