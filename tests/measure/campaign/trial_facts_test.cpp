#include "measure/campaign/trial_facts.h"

#include "measure/campaign/measured_facts.h"
#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tune::campaign {
namespace {

using expression::Number;
using expression::Unknown;
using expression::Value;

double number(const rule::FactTable& facts, const std::string& name) {
  const auto result = facts.value(name);
  const auto* const value = std::get_if<Value>(&result);
  const auto* const found = value == nullptr ? nullptr : std::get_if<Number>(&value->data);
  return found == nullptr ? -1 : found->value;
}

// Two slices of one second each; the training thread waited for a CPU so long in each.
rule::FactTable facts_of(std::optional<std::int64_t> first_ns,
                         std::optional<std::int64_t> second_ns) {
  TrialRecord record;
  record.spec.id = "r1-baseline";
  record.spec.knobs = trial::default_settings();
  trial::TrialReply reply;
  for (const auto waited_ns : {first_ns, second_ns}) {
    trial::Slice slice;
    slice.wall_ns = 1'000'000'000;
    slice.steps = 10;
    slice.samples = 80;
    slice.phases.forward_ns = 900'000'000;
    slice.phases.data_wait_ns = 100'000'000;
    slice.disturbance.main_run_delay_ns = waited_ns;
    slice.disturbance.pin_thread_cpu_ns = waited_ns;
    reply.slices.push_back(slice);
  }
  reply.script.emplace().evaluates_with_gradients = true;
  reply.script->evaluation_ratio = 0.65;
  reply.script->unused_gradient_ratio = 0.9;
  reply.script->double_parameter_ratio = 0.75;
  record.outcome.reply = std::move(reply);
  rule::FactTable facts;
  add_trial_facts(record, machine::MachineFacts{}, facts);
  return facts;
}

TrialRecord baseline_trial(const char* stage, std::int64_t round, std::int64_t wait_ns) {
  TrialRecord record;
  record.spec.id = stage + std::to_string(round);
  record.spec.cell = "baseline";
  record.stage = stage;
  record.round = round;
  record.outcome.kind = runner::OutcomeKind::completed;
  trial::TrialReply reply;
  reply.facts.device = "cpu";
  trial::Slice slice;
  slice.wall_ns = 1'000'000'000;
  slice.steps = 2;
  slice.samples = 16;
  slice.phases.data_wait_ns = wait_ns;
  reply.slices.assign(2, slice);
  reply.step_phases.assign(4, {.data_wait_ns = wait_ns / 2, .forward_ns = 100'000'000});
  record.outcome.reply = std::move(reply);
  return record;
}

TEST(WindowTrials, AreThoseOfFreshPairsElseOfTheStageAndOfASlotTheLast) {
  const TrialRecord search = baseline_trial("search", 1, 0),
                    first = baseline_trial("confirm", 1, 0);
  TrialRecord again = baseline_trial("confirm", 1, 0), failed = baseline_trial("confirm", 2, 0);
  again.attempt = 2;
  failed.outcome.kind = runner::OutcomeKind::crashed;
  using Trials = std::vector<const TrialRecord*>;
  EXPECT_EQ(window_trials({&search, &first, &again, &failed}, "search"), Trials{&again});
  EXPECT_EQ(window_trials({&search, &failed}, "search"), Trials{&search});
  EXPECT_EQ(window_trials({&search}, "audit"), Trials{});
}

// As the report's table of the same trials: a trial alone would be a second answer.
TEST(TrialFacts, OfSeveralTrialsAreOfAllTheirWindowsTogether) {
  const TrialRecord one = baseline_trial("confirm", 1, 100'000'000);
  const TrialRecord other = baseline_trial("confirm", 2, 500'000'000);
  rule::FactTable facts;
  add_trial_facts(other, {&one, &other}, machine::MachineFacts{}, facts);
  EXPECT_DOUBLE_EQ(number(facts, "data_wait_ratio"), 0.3);
  EXPECT_DOUBLE_EQ(number(facts, "step_time"), 0.25);
  EXPECT_EQ(facts.find("data_wait_ratio")->source, "2 trials of stage confirm");
  rule::FactTable alone;
  add_trial_facts(other, machine::MachineFacts{}, alone);
  EXPECT_DOUBLE_EQ(number(alone, "data_wait_ratio"), 0.5);
  EXPECT_EQ(alone.find("data_wait_ratio")->source, "trial confirm2");
}

TEST(TrialFacts, AreSharesOfTheMeasuredWindow) {
  const rule::FactTable facts = facts_of(400'000'000, 100'000'000);
  EXPECT_DOUBLE_EQ(number(facts, "main_thread_run_delay_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(number(facts, "pin_thread_cpu_ratio"), 0.25);
  EXPECT_EQ(facts.value("evaluates_with_gradients"), expression::Result(Value::of(true)));
  EXPECT_DOUBLE_EQ(number(facts, "evaluation_ratio"), 0.65);
  EXPECT_DOUBLE_EQ(number(facts, "unused_gradient_ratio"), 0.9);
  EXPECT_DOUBLE_EQ(number(facts, "double_parameter_ratio"), 0.75);
  EXPECT_DOUBLE_EQ(number(facts, "data_wait_ratio"), 0.1);
  EXPECT_DOUBLE_EQ(number(facts, "throughput"), 80);
}

TEST(TrialFacts, AreUnknownAsSoonAsOneSliceDoesNotTell) {
  const auto result = facts_of(400'000'000, std::nullopt).value("main_thread_run_delay_ratio");
  ASSERT_TRUE(std::holds_alternative<Unknown>(result));
  EXPECT_EQ(std::get<Unknown>(result).reason, "the kernel does not report it");
}

TEST(TrialFacts, NameTheClassOfTheOptimizer) {
  TrialRecord record;
  record.spec.knobs = trial::default_settings();
  record.spec.workload.optimizer = "adamw";
  record.outcome.reply.emplace();
  const auto found = [&] {
    rule::FactTable facts;
    add_trial_facts(record, machine::MachineFacts{}, facts);
    return facts.value("optimizer_class");
  };
  EXPECT_EQ(found(), expression::Result(Value::of("AdamW")));
  record.spec.workload.script.command = {"python3", "train.py"};
  EXPECT_TRUE(std::holds_alternative<Unknown>(found())) << "it is not the script's";
  record.outcome.reply->script.emplace().optimizer = "RMSprop";
  EXPECT_EQ(found(), expression::Result(Value::of("RMSprop")));
  record.spec.workload.task = "infer";
  EXPECT_TRUE(std::holds_alternative<Unknown>(found()));
}

TEST(TrialFacts, TellOfTheMachineAndOfTheThreadsOfItsLoader) {
  TrialRecord record;
  record.spec.knobs = trial::default_settings();
  record.outcome.reply.emplace();
  machine::MachineFacts machine;
  machine.numa_nodes = 2;
  machine.first_node_cpus = "0-15";
  machine.turbo = false;
  rule::FactTable facts;
  add_trial_facts(record, machine, facts);
  EXPECT_EQ(number(facts, "numa_nodes"), 2);
  EXPECT_EQ(facts.value("first_node_cpus"), expression::Result(Value::of("0-15")));
  EXPECT_EQ(facts.value("turbo"), expression::Result(Value::of(false)));
  EXPECT_EQ(number(facts, "worker_intra_op_threads"), 1);
}

TEST(TrialFacts, TellWhatTheProcessGrewByInItsWindow) {
  TrialRecord record;
  record.spec.knobs = trial::default_settings();
  record.outcome.reply.emplace();
  for (const std::int64_t bytes : {100, 400, 350}) {
    trial::Slice slice;
    slice.wall_ns = 1'000;
    slice.steps = slice.samples = 1;
    slice.disturbance.resident_bytes = bytes;
    record.outcome.reply->slices.push_back(slice);
  }
  rule::FactTable facts;
  add_trial_facts(record, machine::MachineFacts(), facts);
  EXPECT_EQ(number(facts, "allocation_growth_bytes"), 250);
  record.outcome.reply->slices.back().disturbance.resident_bytes.reset();
  add_trial_facts(record, machine::MachineFacts(), facts);
  EXPECT_TRUE(std::holds_alternative<Unknown>(facts.value("allocation_growth_bytes")));
}

// A trial of two steps of 10 ms on a GPU, which took 8 ms for each.
TrialRecord on_a_gpu() {
  TrialRecord record;
  record.spec.id = "r1-c01";
  record.spec.knobs = trial::default_settings();
  record.outcome.reply.emplace();
  trial::TrialReply& reply = *record.outcome.reply;
  reply.facts.device = "cuda";
  reply.facts.gpu.emplace();
  reply.facts.gpu->compute_major = 8;
  reply.facts.gpu->compute_minor = 6;
  reply.facts.gpu->memory_bytes = 1'000;
  reply.facts.gpu->driver_version = 13'010;
  reply.facts.gpu->runtime_version = 13'000;
  trial::Slice slice;
  slice.wall_ns = 20'000'000;
  slice.steps = 2;
  slice.samples = 64;
  slice.phases.forward_ns = slice.wall_ns;
  slice.device = trial::DevicePhaseSums{2'000'000, 1'000'000, 6'000'000, 5'000'000, 5'000'000};
  reply.slices = {slice};
  reply.step_phases.resize(2);
  reply.device_steps.resize(2, {0, 0, 3'000'000, 2'500'000, 2'500'000});
  reply.peak_memory_bytes = 7;
  reply.device_memory.emplace();
  reply.device_memory->peak_allocated_bytes = 250;
  reply.device_memory->retries = 3;
  return record;
}

TEST(TrialFacts, SayNothingOfALoaderWhereAPluginMakesItsBatches) {
  TrialRecord record = on_a_gpu();
  record.spec.knobs["plugin.width"] = std::int64_t{64};  // no rule knows it
  record.spec.data.source = "plugin";
  rule::FactTable facts;
  add_trial_facts(record, machine::MachineFacts(), facts);
  EXPECT_EQ(facts.find("plugin.width"), nullptr);
  const auto workers = facts.value("num_workers");
  ASSERT_TRUE(std::holds_alternative<Unknown>(workers));
  EXPECT_EQ(std::get<Unknown>(workers).reason, "the plug-in makes its own batches");
  EXPECT_DOUBLE_EQ(number(facts, "batch_size"), 1);
}

TEST(TrialFacts, OfAGpuAreItsOwn) {
  rule::FactTable facts;
  add_trial_facts(on_a_gpu(), machine::MachineFacts(), facts);
  EXPECT_DOUBLE_EQ(number(facts, "compute_capability"), 8.6);
  EXPECT_DOUBLE_EQ(number(facts, "driver_cuda_version"), 13'010);
  EXPECT_DOUBLE_EQ(number(facts, "peak_memory_bytes"), 250) << "of its memory, not the host's";
  EXPECT_DOUBLE_EQ(number(facts, "peak_memory_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(number(facts, "allocator_retry_count"), 3);
  EXPECT_DOUBLE_EQ(number(facts, "step_time"), 0.008) << "the host only launches";
  EXPECT_DOUBLE_EQ(number(facts, "optimizer_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(number(facts, "stream_idle_ratio"), 0.1);
  EXPECT_DOUBLE_EQ(number(facts, "stream_transfer_ratio"), 0.05);
  EXPECT_EQ(facts.find("other_phase_ratio"), nullptr) << "there the host waits for the GPU";
}

TEST(TrialFacts, OfAReplayedGraphHaveNoPartsOfTheStep) {
  TrialRecord record = on_a_gpu();
  record.outcome.reply->slices.front().device = trial::DevicePhaseSums{.graph_ns = 16'000'000};
  rule::FactTable facts;
  add_trial_facts(record, machine::MachineFacts(), facts);
  const auto optimizer = facts.value("optimizer_ratio");
  ASSERT_TRUE(std::holds_alternative<Unknown>(optimizer));
  EXPECT_EQ(std::get<Unknown>(optimizer).reason, "a replayed CUDA graph is timed as a whole");
}

// 12 % of the window is neither data nor forward, backward or optimizer.
TrialRecord of_a_script() {
  TrialRecord record;
  record.spec.workload.script.command = {"python", "train.py"};
  record.outcome.reply.emplace();
  trial::Slice slice;
  slice.wall_ns = 1'000'000'000;
  slice.steps = 10;
  slice.samples = 80;
  slice.phases.forward_ns = 880'000'000;
  slice.phases.other_ns = 120'000'000;
  record.outcome.reply->slices = {slice};
  return record;
}

TEST(TrialFacts, LeaveTheHostWorkOfAScriptToItsTrace) {
  rule::FactTable traced;
  traced.set("other_phase_ratio", {.result = Value::of(0.01), .source = "trace"});
  add_trial_facts(of_a_script(), machine::MachineFacts(), traced);
  EXPECT_DOUBLE_EQ(number(traced, "other_phase_ratio"), 0.01) << "clipping is other to the agent";

  rule::FactTable untraced;
  add_trial_facts(of_a_script(), machine::MachineFacts(), untraced);
  const auto unknown = untraced.value("other_phase_ratio");
  ASSERT_TRUE(std::holds_alternative<Unknown>(unknown));
  EXPECT_EQ(std::get<Unknown>(unknown).reason, "no steps of the script were recorded");

  TrialRecord own = of_a_script();
  own.spec.workload.script = {};
  rule::FactTable exact;
  exact.set("other_phase_ratio", {.result = Value::of(0.01), .source = "trace"});
  add_trial_facts(own, machine::MachineFacts(), exact);
  EXPECT_DOUBLE_EQ(number(exact, "other_phase_ratio"), 0.12) << "tune's own loop times each part";
}

TEST(TrialFacts, Tf32IsAllowedByItsKnobOrByThePrecision) {
  const auto allowed = [](const char* knob, const char* value) {
    TrialRecord record = on_a_gpu();
    record.spec.knobs[knob] = std::string(value);
    rule::FactTable facts;
    add_trial_facts(record, machine::MachineFacts(), facts);
    return facts.value("allow_tf32") == expression::Result(Value::of(true));
  };
  EXPECT_FALSE(allowed("tf32", "convolutions"));
  EXPECT_FALSE(allowed("tf32", "none"));
  EXPECT_TRUE(allowed("tf32", "all"));
  EXPECT_TRUE(allowed("matmul_precision", "high"));
}

// Two slices of 10 steps and 80 samples, the second twice as fast; an epoch of 1,000 images of 5
// kB.
rule::FactTable facts_of_images(std::vector<trial::EpochBegin> begins) {
  TrialRecord record;
  record.spec.knobs = trial::default_settings();
  record.spec.data.samples = 1'000;
  trial::TrialReply reply;
  for (const std::int64_t wall_ns : {1'000'000'000, 500'000'000}) {
    trial::Slice slice;
    slice.wall_ns = wall_ns;
    slice.steps = 10;
    slice.samples = 80;
    slice.phases.data_wait_ns = 50'000'000;
    slice.phases.forward_ns = wall_ns - 50'000'000;
    reply.slices.push_back(slice);
  }
  reply.step_phases = std::vector<trial::PhaseSums>(20, {.data_wait_ns = 1'000'000});
  for (int step = 0; step < 5; ++step) {
    reply.step_phases[static_cast<std::size_t>(step)].data_wait_ns = 31'000'000;
  }
  reply.loader = {.samples = 200, .decode_ns = 100'000'000, .bytes_read = 1'000'000};
  reply.epoch_begins = std::move(begins);
  record.outcome.reply = std::move(reply);
  machine::MachineFacts machine;
  machine.cgroup_cpus = 1.5;
  rule::FactTable facts;
  add_trial_facts(record, machine, facts);
  return facts;
}

TEST(TrialFacts, TellOfTheDataSetAndItsEpochs) {
  const rule::FactTable facts = facts_of_images({{.step = 4, .data_wait_ns = 105'000'000}});
  EXPECT_DOUBLE_EQ(number(facts, "dataset_bytes"), 5'000'000);
  EXPECT_NEAR(number(facts, "epoch_time"), 9.375, 1e-9);
  EXPECT_NEAR(number(facts, "worker_start_time"), 0.1, 1e-9);  // beyond the usual 5 ms
  const auto unknown = facts_of_images({}).value("worker_start_time");
  ASSERT_TRUE(std::holds_alternative<Unknown>(unknown));
  EXPECT_NE(std::get<Unknown>(unknown).reason, "");
}

TEST(TrialFacts, TellOfTheTwoHalvesAndOfLongWaits) {
  const rule::FactTable facts = facts_of_images({});
  EXPECT_DOUBLE_EQ(number(facts, "early_rate"), 80);
  EXPECT_DOUBLE_EQ(number(facts, "late_rate"), 160);
  EXPECT_DOUBLE_EQ(number(facts, "long_wait_ratio"), 0.25);
  EXPECT_NEAR(number(facts, "data_wait_p95"), 31e-3, 1e-9);
}

TEST(TrialFacts, TellOfTheQuotaWhereThereIsOne) {
  EXPECT_DOUBLE_EQ(number(facts_of_images({}), "cpu_quota"), 1.5);
  const auto unknown = facts_of(0, 0).value("cpu_quota");
  EXPECT_TRUE(std::holds_alternative<Unknown>(unknown));
}

}  // namespace
}  // namespace tune::campaign
