// The rules that came with tune: each says of its fixtures what these expect, and none lacks them.

#include "advice/diagnosis.h"
#include "advice/fixture.h"
#include "advice/recommendation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace tune::advice {
namespace {

namespace fs = std::filesystem;

using expression::Value;

const rule::Catalog& shipped() {
  static const rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
  return catalog;
}

TEST(ShippedRules, SayOfTheirFixturesWhatTheseExpect) {
  std::vector<const rule::Rule*> rules;
  for (const rule::Rule& rule : shipped().rules) {
    rules.push_back(&rule);
  }
  const FixtureReport report = try_rules(rules, fs::path(SOURCE_DIR) / "tests/rules");
  for (const FixtureProblem& problem : report.problems) {
    ADD_FAILURE() << problem.file << ": " << problem.problem;
  }
  EXPECT_EQ(report.rules, shipped().rules.size());
  EXPECT_GE(report.fixtures, 2 * report.rules);
}

// A title is the heading of a card, and one row of a table.
TEST(ShippedRules, HaveTitlesOfAtMost60Characters) {
  for (const rule::Rule& rule : shipped().rules) {
    EXPECT_LE(rule.title.size(), 60U) << rule.file;
    EXPECT_FALSE(rule.title.ends_with('.')) << rule.file;
  }
}

TEST(ShippedRules, HaveVariablesWhereTheyCanBeCopied) {
  for (const rule::Rule& rule : shipped().rules) {
    std::vector<std::string> codes{rule.change.text};
    for (const auto* const all : {&rule.change.cpp, &rule.change.python}) {
      for (const rule::Sentence& each : *all) {
        codes.push_back(each.words);
      }
    }
    for (const std::string& code : codes) {
      EXPECT_EQ(code.find("in the environment"), std::string::npos) << rule.file;
    }
  }
  const rule::Rule* const storm = shipped().find("page-fault-storm");
  ASSERT_NE(storm, nullptr);
  EXPECT_EQ(storm->change.environment,
            (std::vector<std::string>{"MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1073741824",
                                      "LD_PRELOAD=libjemalloc.so.2"}));
}

// The code for Python of a shipped rule, with these facts.
std::string python_of(const char* id, const rule::FactTable& facts) {
  Finding finding;
  finding.rule = shipped().find(id);
  finding.state = rule::State::fired;
  return recommend(finding, facts, {finding}).value().python;
}

TEST(ShippedRules, NameTheOptimizerThatWasSeen) {
  rule::FactTable facts;
  for (const char* const id : {"unfused-optimizer", "operator-overhead"}) {
    facts = {};
    EXPECT_EQ(python_of(id, facts).find("torch.optim."), std::string::npos) << id;
    for (const std::string name : {"SGD", "Adam", "AdamW", "Adagrad"}) {
      facts.set("optimizer_class", {.result = Value::of(name)});
      EXPECT_TRUE(python_of(id, facts).starts_with("torch.optim." + name + "("))
          << python_of(id, facts);
    }
  }
  facts.set("optimizer_class", {.result = Value::of("RMSprop")});
  EXPECT_NE(python_of("unfused-optimizer", facts).find("foreach=True"), std::string::npos);
  EXPECT_EQ(python_of("unfused-optimizer", facts).find("fused"), std::string::npos);
}

TEST(ShippedRules, ProposeThePrecisionThatTheDeviceHas) {
  rule::FactTable facts;
  facts.set("compute_capability", {.result = Value::of(7.0)});
  EXPECT_NE(python_of("full-precision-compute", facts).find("torch.float16"), std::string::npos);
  EXPECT_EQ(python_of("full-precision-compute", facts).find("bfloat16"), std::string::npos);
  facts.set("compute_capability", {.result = Value::of(8.0)});
  EXPECT_NE(python_of("full-precision-compute", facts).find("bfloat16"), std::string::npos);
}

TEST(ShippedRules, NameALoaderOnlyWhereThereIsOne) {
  rule::FactTable facts;
  EXPECT_EQ(python_of("small-batch", facts).find("DataLoader("), std::string::npos);
  EXPECT_EQ(python_of("pageable-transfers", facts).find("DataLoader("), std::string::npos);
  facts.set("loader_ops_on_main_thread", {.result = Value::of(false)});
  EXPECT_EQ(python_of("small-batch", facts), "DataLoader(..., batch_size=2 * batch_size)");
  facts.set("batch_size", {.result = Value::of(32.0)});
  EXPECT_EQ(python_of("small-batch", facts), "DataLoader(..., batch_size=64)");
  EXPECT_TRUE(python_of("pageable-transfers", facts).starts_with("DataLoader("));
}

// On a CPU with so many cores, all of them computing, and so much of the step waiting for data.
std::string loader_change(double cores, double wait, const char* device = "cpu") {
  rule::FactTable facts;
  facts.set("device", {.result = Value::of(device)});
  facts.set("num_workers", {.result = Value::of(0.0)});
  for (const char* const name : {"usable_cores", "intra_op_threads"}) {
    facts.set(name, {.result = Value::of(cores)});
  }
  facts.set("data_wait_ratio", {.result = Value::of(wait)});
  Finding finding;
  finding.rule = shipped().find("synchronous-loader");
  finding.state = rule::State::fired;
  std::string text;
  const Recommendation recommendation = recommend(finding, facts, {finding}).value();
  for (const ProposedKnob& knob : recommendation.knobs) {
    text += knob.name + "=" + trial::to_text(knob.to.value()) + " ";
  }
  return text;
}

TEST(ShippedRules, GiveLoaderWorkersCoresOfTheirOwnWhereThatCostsLessThanWaiting) {
  EXPECT_EQ(loader_change(2, 0.64), "num_workers=1 intra_op_threads=1 ");
  EXPECT_EQ(loader_change(2, 0.3), "num_workers=1 ");
  EXPECT_EQ(loader_change(8, 0.3), "num_workers=1 intra_op_threads=7 ");
  EXPECT_EQ(loader_change(8, 0.63), "num_workers=2 intra_op_threads=6 ");
  EXPECT_EQ(loader_change(8, 0.05), "num_workers=1 ");
  EXPECT_EQ(loader_change(8, 0.63, "cuda"), "num_workers=2 ");
}

// 400 launches a step, so many of them by the optimizer.
rule::FactTable launch_bound(double optimizer_kernels) {
  rule::FactTable facts;
  facts.set("device", {.result = Value::of("cuda")});
  facts.set("kernel_time_median", {.result = Value::of(5e-6, {.time = 1})});
  const std::map<std::string, double> numbers = {{"gpu_busy_ratio", 0.07},
                                                 {"idle_host_wait_ratio", 0.9},
                                                 {"host_wait_ratio", 0.8},
                                                 {"launch_queue_p95", 1},
                                                 {"short_kernel_ratio", 0.7},
                                                 {"kernel_count", 400},
                                                 {"optimizer_kernel_count", optimizer_kernels}};
  for (const auto& [name, value] : numbers) {
    facts.set(name, {.result = Value::of(value)});
  }
  return facts;
}

// "cuda_graphs=true"
std::string knobs_of(const rule::FactTable& facts) {
  const Finding finding = find(*shipped().find("launch-bound"), facts);
  std::string text;
  if (const auto recommendation = recommend(finding, facts, {finding})) {
    for (const ProposedKnob& knob : recommendation->knobs) {
      text += knob.name + "=" + (knob.to ? trial::to_text(*knob.to) : "?") + " ";
    }
  }
  return text;
}

TEST(ShippedRules, CaptureAStepWhoseOptimizerIsNotMostOfItsLaunches) {
  rule::FactTable facts = launch_bound(100);
  EXPECT_EQ(knobs_of(facts), "") << "a trace does not say how it was set";
  facts.set("cuda_graphs", {.result = Value::of(false)});
  EXPECT_EQ(knobs_of(facts), "cuda_graphs=true ");
  facts.set("compile", {.result = Value::of("none")});
  EXPECT_EQ(knobs_of(facts), "") << "a script has no such knob";

  facts = launch_bound(300);
  facts.set("cuda_graphs", {.result = Value::of(false)});
  EXPECT_EQ(knobs_of(facts), "optimizer_impl=fused ") << "the optimizer first";
  facts = launch_bound(100);
  facts.set("cuda_graphs", {.result = Value::of(true)});
  EXPECT_EQ(knobs_of(facts), "");
}

TEST(ShippedRules, HaveNoFixturesOfRulesThatAreGone) {
  for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "tests/rules")) {
    if (fs::exists(entry.path() / "fires.json")) {
      EXPECT_NE(shipped().find(entry.path().filename().string()), nullptr) << entry.path();
    }
  }
}

TEST(ShippedRules, SayNothingOfARunOfWhichNothingIsKnown) {
  const Diagnosis diagnosis = diagnose(shipped(), {});
  for (const Finding& finding : diagnosis.findings) {
    EXPECT_EQ(finding.state, rule::State::not_applicable) << finding.rule->id;
    EXPECT_NE(finding.reason, "") << finding.rule->id;
  }
}

// Lines of ids stand six columns in, those of symptoms two.
TEST(ShippedRules, AreThoseThatHelpSymptomsNames) {
  std::ifstream file(std::string(SOURCE_DIR) + "/harness/cli/help/symptoms.txt");
  std::size_t named = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("      ")) {
      continue;
    }
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    for (std::string id; words >> id; ++named) {
      EXPECT_NE(shipped().find(id), nullptr) << id;
    }
  }
  EXPECT_GT(named, 40U);
}

}  // namespace
}  // namespace tune::advice
