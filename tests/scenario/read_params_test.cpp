// Numbers of tune's own models, and the data that a model of tokens reads.

#include "sample_scenario.h"

#include <gtest/gtest.h>

namespace tune::scenario {

namespace {

// A scenario of a model that reads tokens.
std::string of_tokens(const std::string& workload, const std::string& data = "synthetic") {
  return "tune: 1\n"
         "name: sample\n"
         "workload: {" +
         workload +
         "}\n"
         "data: {source: " +
         data +
         "}\n"
         "grid: {batch_size: [1, 2]}\n";
}

TEST(ReadParams, AreNumbersOfTheModel) {
  const Scenario scenario = read_scenario(
      of_tokens("model: gpt-small, params: {layers: 2, dropout: 0.25, attention_dropout: 0}"),
      "sample.yaml");
  const trial::KnobSettings expected = {
      {"layers", std::int64_t{2}}, {"dropout", 0.25}, {"attention_dropout", std::int64_t{0}}};
  EXPECT_EQ(scenario.workload.params, expected);
  EXPECT_TRUE(read_scenario(sample(), "sample.yaml").workload.params.empty());
}

TEST(ReadParams, ComplaintsStandWhereTheValueStands) {
  EXPECT_EQ(complaints_about(of_tokens("model: gpt-small, params: {layer: 2}")),
            "sample.yaml:3:46: 'params.layer': gpt-small has no such number (params of gpt-small: "
            "attention_dropout, dropout, heads, hidden, layers, sequence_length, vocabulary) "
            "layers?");
  EXPECT_EQ(complaints_about(of_tokens("model: bert-base, params: {layers: many}")),
            "sample.yaml:3:47: 'params.layers': must be a whole number from 1 to 96 (is many)");
  EXPECT_EQ(
      complaints_about(of_tokens("model: bert-base, params: {heads: 5}")),
      "sample.yaml:3:46: 'params.heads': 5 heads do not divide a width of 768 (each head gets "
      "an equal part of hidden)");
  EXPECT_EQ(complaints_with("model: resnet18", "model: resnet18, params: {layers: 2}"),
            "sample.yaml:3:46: 'params.layers': resnet18 has no params (it has one shape)");
}

TEST(ReadParams, MustBeAMapOfPlainValues) {
  EXPECT_NE(complaints_about(of_tokens("model: gpt-small, params: [2]")).find("'workload.params'"),
            std::string::npos);
  EXPECT_NE(complaints_about(of_tokens("model: gpt-small, params: {layers: [2]}"))
                .find("'workload.params.layers'"),
            std::string::npos);
}

TEST(ReadParams, ModelsOfTokensHaveNeitherImagesNorClasses) {
  EXPECT_EQ(complaints_about(of_tokens("model: gpt-small, image_size: 64, classes: 10")),
            "sample.yaml:3:42: 'gpt-small' takes no 'image_size' (it reads tokens) params: "
            "{sequence_length: 128}?\n"
            "sample.yaml:3:55: 'gpt-small' takes no 'classes' (its classes are the tokens of the "
            "vocabulary) params: {vocabulary: 8192}?");
}

TEST(ReadParams, TheDataHoldsWhatTheModelReads) {
  EXPECT_EQ(complaints_about(of_tokens("model: gpt-small", "generated-jpeg")),
            "sample.yaml:4:16: 'gpt-small' cannot read 'generated-jpeg' (it reads tokens) "
            "generated-tokens?");
  EXPECT_EQ(complaints_with("generated-jpeg", "generated-tokens"),
            "sample.yaml:4:16: 'resnet18' cannot read 'generated-tokens' (it reads images) "
            "generated-jpeg?");
  EXPECT_EQ(complaints_about(of_tokens("model: bert-base", "generated-tokens")), "");
  EXPECT_EQ(complaints_about(of_tokens("model: bert-base", "token-bin")),
            "sample.yaml:4:7: source 'token-bin' needs 'path' (a file of tokens of 16 bits, one "
            "after the other)");
  EXPECT_EQ(complaints_about(of_tokens("model: bert-base", "token-bin, path: x, samples: 3")),
            "sample.yaml:4:45: source 'token-bin' takes no 'samples' (all of the file is used)");
}

TEST(ReadParams, FilesOfTokensAreRelativeToTheScenario) {
  const Scenario scenario =
      read_scenario(of_tokens("model: gpt-small", "token-bin, path: ../text/train.bin"),
                    "/some/where/sample.yaml");
  EXPECT_EQ(scenario.data.path, "/some/text/train.bin");
  EXPECT_EQ(scenario.data.samples, 0) << "the file will tell";
  EXPECT_EQ(
      read_scenario(of_tokens("model: gpt-small", "generated-tokens"), "sample.yaml").data.samples,
      4096);
}

}  // namespace

}  // namespace tune::scenario
