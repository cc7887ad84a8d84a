#include "trial/workload_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tune::trial {

namespace {

// What is wrong with the params of this model, one complaint per line.
std::string complaints(const char* model, const KnobSettings& params) {
  std::string text;
  for (const ParamComplaint& complaint : complaints_about(*find_workload(model), params)) {
    text += (text.empty() ? "" : "\n") + to_sentence(complaint);
  }
  return text;
}

TEST(ModelParams, WhatIsNotWrittenIsAsPublished) {
  Workload workload;
  workload.model = "bert-base";
  EXPECT_EQ(whole_param(workload, "layers"), 12);
  EXPECT_EQ(whole_param(workload, "vocabulary"), 30'522);
  EXPECT_DOUBLE_EQ(real_param(workload, "dropout"), 0.1);
  workload.params = {{"layers", std::int64_t{2}}, {"dropout", std::int64_t{0}}};
  EXPECT_EQ(whole_param(workload, "layers"), 2);
  EXPECT_DOUBLE_EQ(real_param(workload, "dropout"), 0) << "a whole number is a number";
}

TEST(ModelParams, EveryModelTakesItsOwnDefaults) {
  for (const WorkloadEntry& model : all_workloads()) {
    KnobSettings defaults;
    for (const ModelParam& param : model.params) {
      defaults.emplace(param.name, param.default_value);
      EXPECT_FALSE(param.summary.empty()) << param.name;
    }
    EXPECT_EQ(complaints(model.name.c_str(), defaults), "") << model.name;
    EXPECT_TRUE(std::is_sorted(model.params.begin(),
                               model.params.end(),
                               [](const auto& a, const auto& b) { return a.name < b.name; }));
    EXPECT_EQ(model.reads_tokens(), model.has_attention) << model.name;
  }
}

TEST(ModelParams, TokensAreTheCataloguesOrTheUsersOwn) {
  Workload workload;
  workload.model = "gpt-small";
  workload.params = {{"sequence_length", std::int64_t{32}}};
  EXPECT_TRUE(reads_tokens(workload));
  EXPECT_EQ(sequence_length(workload), 32);
  EXPECT_EQ(vocabulary(workload), 50'257);
  workload.model = "torchscript:net.pt";
  workload.params = {};
  workload.own.kind = OwnModel::Kind::torchscript;
  workload.own.input = {128};
  EXPECT_FALSE(reads_tokens(workload)) << "128 real numbers";
  workload.own.input_type = OwnModel::InputType::int64;
  workload.classes = 8192;
  EXPECT_TRUE(reads_tokens(workload));
  EXPECT_EQ(sequence_length(workload), 128);
  EXPECT_EQ(vocabulary(workload), 8192);
  workload.classes = 128'256;
  EXPECT_EQ(vocabulary(workload), 65'536) << "a token has 16 bits";
}

TEST(ModelParams, NamesTheNearest) {
  EXPECT_EQ(complaints("gpt-small", {{"layer", std::int64_t{2}}}),
            "workload.params.layer: gpt-small has no such number (params of gpt-small: "
            "attention_dropout, dropout, heads, hidden, layers, sequence_length, vocabulary) "
            "layers?");
  EXPECT_EQ(complaints("resnet50", {{"layers", std::int64_t{2}}}),
            "workload.params.layers: resnet50 has no params (it has one shape)");
}

TEST(ModelParams, SaysWhatAValueMustBe) {
  EXPECT_EQ(complaints("gpt-small", {{"layers", std::int64_t{0}}}),
            "workload.params.layers: must be a whole number from 1 to 96 (is 0)");
  EXPECT_EQ(complaints("gpt-small", {{"layers", 2.5}}),
            "workload.params.layers: must be a whole number from 1 to 96 (is 2.5)");
  EXPECT_EQ(complaints("gpt-small", {{"dropout", 1.0}}),
            "workload.params.dropout: must be a number from 0 to 0.9 (is 1)");
  EXPECT_EQ(complaints("gpt-small", {{"hidden", std::string("wide")}}),
            "workload.params.hidden: must be a whole number from 8 to 4096 (is wide)");
  EXPECT_EQ(complaints("bert-base", {{"sequence_length", std::int64_t{513}}}),
            "workload.params.sequence_length: must be a whole number from 8 to 512 (is 513)");
}

TEST(ModelParams, HeadsDivideTheWidth) {
  EXPECT_EQ(
      complaints("bert-base", {{"hidden", std::int64_t{100}}}),
      "workload.params.hidden: 12 heads do not divide a width of 100 (each head gets an equal "
      "part of hidden)");
  EXPECT_EQ(complaints("bert-base", {{"hidden", std::int64_t{96}}, {"heads", std::int64_t{5}}}),
            "workload.params.heads: 5 heads do not divide a width of 96 (each head gets an equal "
            "part of hidden)");
}

}  // namespace

}  // namespace tune::trial
