// From what a loader counts in a trial's reply to what the rules about it say.

#include "advice/finding.h"
#include "measure/campaign/trial_facts.h"
#include "measure/campaign/window_facts.h"
#include "recorded_diagnosis.h"
#include "trial/knob_catalog.h"
#include "trial/trial_reply.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace tune::campaign {
namespace {

using rule::State;

// A trial of 64 images a step with two workers, which waited for data a fifth of its time; its
// reply went through the file that a worker writes.
rule::FactTable facts_of(const std::optional<trial::LoaderFlow>& flow,
                         std::optional<double> crop_area,
                         std::int64_t workers = 2) {
  TrialRecord record;
  record.spec.knobs = trial::default_settings();
  record.spec.knobs["num_workers"] = workers;
  trial::TrialReply reply;
  trial::Slice slice;
  slice.wall_ns = 1'000'000'000;
  slice.steps = 10;
  slice.samples = 640;
  slice.phases.data_wait_ns = 200'000'000;
  slice.phases.forward_ns = 800'000'000;
  reply.slices = {slice};
  reply.step_phases =
      std::vector<trial::PhaseSums>(10, {.data_wait_ns = 20'000'000, .forward_ns = 80'000'000});
  reply.facts.cpus = {0, 1, 2, 3};
  reply.loader.samples = 640;
  reply.loader.read_ns = 10'000'000;
  reply.loader.decode_ns = 600'000'000;
  reply.loader.resize_ns = 60'000'000;
  reply.loader.flow = flow;
  reply.loader.crop_area_ratio = crop_area;
  record.outcome.reply = trial::parse_trial_reply(trial::to_json(reply), "reply.json");
  rule::FactTable facts;
  add_trial_facts(record, machine::MachineFacts{}, facts);
  return facts;
}

advice::Finding finding(const char* rule, const rule::FactTable& facts) {
  return advice::find(*shipped_catalog()->find(rule), facts);
}

trial::LoaderFlow smooth() {
  return {.pulls = 100,
          .empty_pulls = 5,
          .work_ns = 900'000'000,
          .wait_ns = 100'000'000,
          .reorder_wait_ns = 1'000'000,
          .sample_p99_ns = 4'000'000,
          .slowest_thread_ratio = 1.1};
}

TEST(LoaderFlow, OfOneSlowImageHoldsUpTheLoader) {
  trial::LoaderFlow held_up = smooth();
  held_up.reorder_wait_ns = held_up.wait_ns = 300'000'000;
  const auto fired = finding("loader-head-of-line", facts_of(held_up, std::nullopt));
  EXPECT_EQ(fired.state, State::fired) << fired.text << fired.reason;
  EXPECT_EQ(finding("loader-head-of-line", facts_of(smooth(), std::nullopt)).state, State::quiet);
  trial::LoaderFlow one_slow_thread = smooth();
  one_slow_thread.slowest_thread_ratio = 3;
  EXPECT_EQ(finding("loader-head-of-line", facts_of(one_slow_thread, std::nullopt)).state,
            State::fired);
}

TEST(LoaderFlow, ThatIsNotCountedSaysWhy) {
  const auto other = finding("loader-head-of-line", facts_of(std::nullopt, std::nullopt));
  EXPECT_EQ(other.state, State::not_applicable);
  EXPECT_NE(other.reason.find("only the loader `ring` counts it"), std::string::npos);
  const auto none = finding("loader-head-of-line", facts_of(std::nullopt, std::nullopt, 0));
  EXPECT_NE(none.reason.find("num_workers is 0"), std::string::npos) << none.reason;
}

TEST(LoaderFlow, OfAQueueThatIsOftenEmptyStarvesTheModel) {
  const auto with_rate = [](trial::LoaderFlow flow) {
    rule::FactTable facts = facts_of(flow, std::nullopt);
    facts.set("loader_rate", {.result = expression::Value::of(900.0, {.time = -1})});
    return facts;
  };
  trial::LoaderFlow empty = smooth();
  empty.empty_pulls = 70;
  EXPECT_EQ(finding("prefetch-starvation", with_rate(empty)).state, State::fired);
  EXPECT_EQ(finding("prefetch-starvation", with_rate(smooth())).state, State::quiet);
}

TEST(LoaderFlow, OfSmallCropsOfWholeFramesIsWorkForNothing) {
  const auto small = finding("inefficient-decode", facts_of(std::nullopt, 0.54));
  EXPECT_EQ(small.state, State::fired) << small.text << small.reason;
  EXPECT_EQ(finding("inefficient-decode", facts_of(std::nullopt, 1.0)).state, State::quiet);
  EXPECT_EQ(finding("inefficient-decode", facts_of(std::nullopt, std::nullopt)).state,
            State::not_applicable);
}

TEST(PythonBatch, IsWhatAStepOfAScriptWaitsForItsSamples) {
  trial::TrialSpec spec;
  trial::WindowSums window{.wall_ns = 2e9, .steps = 40, .samples = 640};
  window.phases.data_wait_ns = 320'000'000;
  spec.knobs["batch_size"] = std::int64_t{16};
  EXPECT_EQ(python_batch_s(spec, window), std::nullopt) << "models load in threads";
  spec.workload.script.command = {"python", "train.py"};
  EXPECT_DOUBLE_EQ(python_batch_s(spec, window).value_or(0), 8e-3);
  spec.knobs.erase("batch_size");
  EXPECT_EQ(python_batch_s(spec, window), std::nullopt);
}

}  // namespace
}  // namespace tune::campaign
