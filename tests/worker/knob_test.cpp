#include "small_trial.h"
#include "trial/knob_catalog.h"
#include "trial/workload_catalog.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sched.h>

namespace tune::worker {
namespace {

using trial::TrialReply;
using trial::TrialSpec;
using Names = std::vector<std::string>;

int one_allowed_cpu() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) {
      return cpu;
    }
  }
  return 0;
}

// Every value of a flag or a choice; for a number the smallest and one more.
std::vector<trial::KnobValue> values_of(const trial::Knob& knob) {
  switch (knob.kind) {
    case trial::Knob::Kind::boolean:
      return {false, true};
    case trial::Knob::Kind::integer:
      return {knob.min, knob.min + 1};
    case trial::Knob::Kind::choice:
      return {knob.choices.begin(), knob.choices.end()};
    case trial::Knob::Kind::cpu_list:
      return {std::string(), std::to_string(one_allowed_cpu())};
  }
  return {};
}

bool is_ignored(const TrialReply& reply, const std::string& knob) {
  return std::any_of(reply.ignored_knobs.begin(), reply.ignored_knobs.end(), [&](const auto& seen) {
    return seen.name == knob && !seen.reason.empty();
  });
}

TEST(Knobs, TheWorkerKnowsExactlyTheKnobsAndWorkloadsOfTheCatalogues) {
  const auto described =
      nlohmann::json::parse(output_of("'" WORKER_PROGRAM "' --describe"), nullptr, false);
  ASSERT_TRUE(described.is_object());
  Names knobs;
  for (const trial::Knob& knob : trial::all_knobs()) {
    if (!trial::is_script_knob(knob)) {
      knobs.push_back(knob.name);
    }
  }
  Names workloads;
  for (const trial::WorkloadEntry& workload : trial::all_workloads()) {
    workloads.push_back(workload.name);
  }
  EXPECT_EQ(described.at("knobs").get<Names>(), knobs);
  EXPECT_EQ(described.at("workloads").get<Names>(), workloads);
  EXPECT_EQ(described.at("protocol").get<int>(), trial::kProtocol);
  EXPECT_FALSE(described.at("torch_version").get<std::string>().empty());
  EXPECT_TRUE(described.contains("gpu") != described.contains("no_gpu")) << described;
}

TEST(Knobs, EveryValueOfEveryKnobRuns) {
  const bool has_fp16 = reply_of(small_spec()).facts.fp16_supported;
  for (const trial::Knob& knob : trial::all_knobs()) {
    for (const trial::KnobValue& value : values_of(knob)) {
      TrialSpec spec = small_spec();
      if (knob.name == "amp" && !has_fp16 && value == trial::KnobValue("fp16")) {
        EXPECT_EQ(run(spec).kind, runner::OutcomeKind::completed);
        spec.knobs["amp"] = value;
        EXPECT_EQ(run(spec).kind, runner::OutcomeKind::refused);
        continue;
      }
      spec.knobs[knob.name] = value;
      const TrialReply reply = reply_of(spec);
      ASSERT_EQ(reply.slices.size(), 1U) << knob.name << "=" << trial::to_text(value);
      EXPECT_EQ(reply.slices[0].steps, 2) << knob.name << "=" << trial::to_text(value);
    }
  }
}

TEST(Knobs, ConvolutionsRunInEveryTypeAndLayout) {
  for (const char* const amp : {"none", "bf16"}) {
    for (const bool channels_last : {false, true}) {
      TrialSpec spec = small_resnet();
      spec.knobs["amp"] = std::string(amp);
      spec.knobs["channels_last"] = channels_last;
      EXPECT_EQ(reply_of(spec).slices.size(), 1U);
    }
  }
}

TEST(Knobs, ThreadsAndAffinityAreWhatTheKnobsSay) {
  TrialSpec spec = small_spec();
  spec.knobs["cpu_affinity"] = std::to_string(one_allowed_cpu());
  const TrialReply pinned = reply_of(spec);
  EXPECT_EQ(pinned.facts.cpus, std::vector<std::int64_t>{one_allowed_cpu()});
  EXPECT_EQ(pinned.facts.intra_op_threads, 1) << "LibTorch's choice for one CPU";
  EXPECT_TRUE(pinned.slices.at(0).disturbance.core_probe_ns);
  spec.knobs["intra_op_threads"] = std::int64_t{3};
  const TrialReply crowded = reply_of(spec);
  EXPECT_EQ(crowded.facts.intra_op_threads, 3);
  EXPECT_FALSE(crowded.slices.at(0).disturbance.core_probe_ns) << "its own threads slow the probes";
}

TEST(Knobs, WhatCannotMatterIsNamedWithAReason) {
  TrialSpec spec = small_spec();
  spec.knobs["pin_memory"] = true;
  spec.knobs["device_slots"] = std::int64_t{2};
  spec.knobs["cuda_graphs"] = true;
  spec.knobs["tf32"] = std::string("all");
  spec.knobs["sdpa"] = std::string("cudnn");
  spec.knobs["channels_last"] = true;
  spec.knobs["worker_nice"] = std::int64_t{10};
  spec.knobs["amp"] = std::string("bf16");
  const TrialReply reply = reply_of(spec);
  EXPECT_TRUE(is_ignored(reply, "pin_memory"));
  EXPECT_TRUE(is_ignored(reply, "device_slots"));
  EXPECT_TRUE(is_ignored(reply, "cuda_graphs"));
  EXPECT_TRUE(is_ignored(reply, "tf32"));
  EXPECT_TRUE(is_ignored(reply, "sdpa")) << "the MLP has no attention";
  EXPECT_TRUE(is_ignored(reply, "channels_last")) << "the MLP has no convolutions";
  EXPECT_TRUE(is_ignored(reply, "worker_nice")) << "nothing is loaded";
  EXPECT_FALSE(is_ignored(reply, "amp"));
  EXPECT_FALSE(is_ignored(reply, "non_blocking")) << "it has its default";
  EXPECT_EQ(reply.ignored_knobs.size(), 7U);
}

TEST(Knobs, ALowerMatmulPrecisionChangesDigitsOnlyWhereTheCpuHasTheUnits) {
  TrialSpec spec = small_spec();
  spec.knobs["batch_size"] = std::int64_t{32};
  const TrialReply highest = reply_of(spec);
  spec.knobs["matmul_precision"] = std::string("medium");
  const TrialReply medium = reply_of(spec);
  ASSERT_FALSE(highest.losses.empty());
  ASSERT_FALSE(medium.losses.empty());
  EXPECT_NEAR(medium.losses[0].value, highest.losses[0].value, 0.01);
  if (!highest.facts.bf16_supported) {
    EXPECT_EQ(medium.losses, highest.losses);
  }
}

TEST(Knobs, FlushingDenormalsLeavesOrdinaryNumbersAlone) {
  TrialSpec spec = small_spec();
  const TrialReply kept = reply_of(spec);
  spec.knobs["flush_denormal"] = true;
  const TrialReply flushed = reply_of(spec);
  ASSERT_FALSE(kept.losses.empty());
  ASSERT_FALSE(flushed.losses.empty());
  EXPECT_EQ(flushed.losses[0], kept.losses[0]);
  EXPECT_FALSE(is_ignored(flushed, "flush_denormal"));
}

}  // namespace
}  // namespace tune::worker
