#include "measure/runner/run_trial.h"
#include "small_trial.h"
#include "trace/reader/read_trace.h"
#include "trace/steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;
using profile::Category;
using profile::Timeline;
using trial::TrialReply;
using trial::TrialSpec;

TrialSpec profiled(TrialSpec spec) {
  spec.profile.emplace();
  spec.profile->warmup = 1;
  spec.profile->active = 2;
  return spec;
}

Timeline trace_of(const TrialSpec& spec) {
  return profile::read_trace(fs::path(spec.folder) / "trace.json.gz");
}

std::map<std::string, int> count_names(const Timeline& timeline) {
  std::map<std::string, int> counts;
  for (const profile::Event& event : timeline.events) {
    ++counts[std::string(timeline.name(event))];
  }
  return counts;
}

// Rows of a thread are disjoint or nested.
void expect_that_rows_nest(const Timeline& timeline) {
  std::map<std::uint32_t, std::vector<std::int64_t>> open;  // ends, by thread
  for (const profile::Event& event : timeline.events) {
    auto& ends = open[event.track];
    while (!ends.empty() && ends.back() <= event.start_ns) {
      ends.pop_back();
    }
    ASSERT_TRUE(ends.empty() || event.end_ns() <= ends.back()) << timeline.name(event);
    ends.push_back(event.end_ns());
  }
}

TEST(Profile, ATrialIsRecordedAfterItWasMeasured) {
  const TrialSpec spec = profiled(small_spec());
  const TrialReply reply = reply_of(spec);
  ASSERT_TRUE(reply.profile);
  const trial::ProfileOutcome& outcome = *reply.profile;
  ASSERT_EQ(outcome.reason, "");
  EXPECT_EQ(outcome.lost_events, 0);
  EXPECT_EQ(outcome.step_ns.size(), 2U);
  EXPECT_GT(outcome.start_ns, reply.slices.back().start_ns + reply.slices.back().wall_ns);
  EXPECT_GT(outcome.peak_bytes, 0);
  EXPECT_GT(trial::profiler_dilation(reply).value_or(0), 0);
  EXPECT_EQ(reply.phases.back().name, "profiled");

  const Timeline timeline = trace_of(spec);
  EXPECT_EQ(static_cast<std::int64_t>(timeline.events.size()), outcome.events);
  EXPECT_EQ(static_cast<std::int64_t>(timeline.memory.size()), outcome.memory_events);
  EXPECT_EQ(timeline.notes.total(profile::NoteClass::dropped), 0);
  EXPECT_EQ(timeline.notes.total(profile::NoteClass::repaired), 0);
  const profile::Steps steps = profile::find_steps(timeline);
  ASSERT_EQ(steps.steps.size(), 2U);
  EXPECT_EQ(steps.steps[0].number, 1);
  expect_that_rows_nest(timeline);
  auto counts = count_names(timeline);
  for (const char* const name : {"enumerate(DataLoader)#tune.__next__",
                                 "transfer",
                                 "forward",
                                 "backward",
                                 "Optimizer.step#SGD.step",
                                 "Optimizer.zero_grad#SGD.zero_grad"}) {
    EXPECT_EQ(counts[name], 2) << name;
  }
  EXPECT_EQ(counts["aten::addmm"], 2 * 8);
  EXPECT_EQ(counts["AddmmBackward0"], 2 * 8);
  EXPECT_EQ(counts["autograd::engine::evaluate_function: AddmmBackward0"], 2 * 8);
}

TEST(Profile, EveryNodeOfTheBackwardPassNamesItsOperator) {
  const TrialSpec spec = profiled(small_spec());
  reply_of(spec);
  const Timeline timeline = trace_of(spec);
  std::set<std::int64_t> forward, backward;
  for (const profile::Event& event : timeline.events) {
    const profile::OpDetail* const op = timeline.op(event);
    if (op != nullptr && op->sequence_number >= 0) {
      (op->forward_thread > 0 ? backward : forward).insert(op->sequence_number);
    }
  }
  EXPECT_GT(backward.size(), 16U);
  EXPECT_TRUE(std::includes(forward.begin(), forward.end(), backward.begin(), backward.end()));
}

TEST(Profile, NothingIsRecordedThatIsNotAskedFor) {
  TrialSpec spec = profiled(small_spec());
  spec.profile->profile_memory = false;
  const TrialReply reply = reply_of(spec);
  EXPECT_EQ(reply.profile->memory_events, 0);
  const Timeline timeline = trace_of(spec);
  EXPECT_TRUE(timeline.memory.empty());
  for (const profile::OpDetail& op : timeline.ops) {
    EXPECT_EQ(op.input_dims, 0U);
    EXPECT_EQ(op.module_hierarchy, 0U);
  }
}

TEST(Profile, ShapesAreThoseOfTheInputs) {
  TrialSpec spec = profiled(small_spec());
  spec.profile->record_shapes = true;
  const TrialReply reply = reply_of(spec);
  EXPECT_EQ(reply.profile->lost_inputs, 0);
  const Timeline timeline = trace_of(spec);
  std::set<std::string> dims;
  for (const profile::Event& event : timeline.events) {
    if (timeline.name(event) == "aten::addmm") {
      dims.emplace(timeline.strings.text(timeline.op(event)->input_dims));
    }
  }
  EXPECT_TRUE(dims.contains("[[64],[4,3072],[3072,64],[],[]]")) << *dims.begin();
}

TEST(Profile, FlopsNeedTheInputsOfTheirOperatorsOnly) {
  TrialSpec spec = profiled(small_spec());
  spec.profile->with_flops = true;
  reply_of(spec);
  const Timeline timeline = trace_of(spec);
  std::set<std::string> with_inputs;
  for (const profile::Event& event : timeline.events) {
    const profile::OpDetail* const op = timeline.op(event);
    if (op != nullptr && op->input_dims != 0) {
      with_inputs.emplace(timeline.name(event));
    }
  }
  EXPECT_TRUE(with_inputs.contains("aten::addmm"));
  EXPECT_TRUE(with_inputs.contains("aten::mm"));
  EXPECT_FALSE(with_inputs.contains("aten::relu"));
}

TEST(Profile, ModulesAreRangesThatOperatorsKnow) {
  TrialSpec spec = profiled(small_resnet());
  spec.profile->with_modules = true;
  reply_of(spec);
  const Timeline timeline = trace_of(spec);
  auto counts = count_names(timeline);
  EXPECT_EQ(counts["nn.Module: block7.bn2"], 2);
  EXPECT_EQ(counts["nn.Module: linear"], 2);
  std::set<std::string> modules;
  for (const profile::OpDetail& op : timeline.ops) {
    modules.emplace(timeline.strings.text(op.module_hierarchy));
  }
  EXPECT_TRUE(modules.contains("block2.shortcut_conv"));
}

TEST(Profile, ModulesOfModelsOfTokensAreRangesToo) {
  for (TrialSpec spec : {small_bert(), small_gpt()}) {
    SCOPED_TRACE(spec.workload.model);
    spec = profiled(std::move(spec));
    spec.profile->with_modules = true;
    reply_of(spec);
    const Timeline timeline = trace_of(spec);
    std::set<std::string> modules;
    for (const profile::OpDetail& op : timeline.ops) {
      modules.emplace(timeline.strings.text(op.module_hierarchy));
    }
    for (const char* const module : {"embeddings",
                                     "block0.attention",
                                     "block0.attention.output",
                                     "block1.attention_norm",
                                     "block1.intermediate",
                                     "head"}) {
      EXPECT_TRUE(modules.contains(module)) << module;
    }
  }
}

TEST(Profile, FlopsOfModelsOfTokensNeedTheInputsOfTheirOperators) {
  for (const TrialSpec& spec : {small_bert(), small_gpt()}) {
    for (const bool is_fused : {true, false}) {
      SCOPED_TRACE(spec.workload.model);
      TrialSpec counted = profiled(spec);
      counted.profile->with_flops = true;
      counted.knobs["fused"] = is_fused;
      reply_of(counted);
      const Timeline timeline = trace_of(counted);
      std::set<std::string> with_inputs;
      for (const profile::Event& event : timeline.events) {
        const profile::OpDetail* const op = timeline.op(event);
        if (op != nullptr && op->input_dims != 0) {
          with_inputs.emplace(timeline.name(event));
        }
      }
      EXPECT_TRUE(with_inputs.contains("aten::addmm")) << "of linear";
      EXPECT_TRUE(with_inputs.contains("aten::embedding"));
      const std::string attention = "aten::_scaled_dot_product_flash_attention_for_cpu";
      EXPECT_EQ(with_inputs.contains(attention), is_fused);
      EXPECT_EQ(with_inputs.contains(attention + "_backward"), is_fused);
      EXPECT_EQ(with_inputs.contains("aten::native_layer_norm"), is_fused);
      EXPECT_EQ(with_inputs.contains("aten::bmm"), !is_fused) << "of matmul";
    }
  }
}

TEST(Profile, ThreadsOfTheLoaderHaveRowsOfTheirOwn) {
  for (const std::string engine : {"ring", "libtorch"}) {
    TrialSpec spec = profiled(small_resnet_on_images());
    spec.knobs["num_workers"] = std::int64_t{1};
    spec.knobs["loader"] = engine;
    spec.profile->active = 6;  // two epochs
    const TrialReply reply = reply_of(spec);
    ASSERT_EQ(reply.profile->reason, "");
    const Timeline timeline = trace_of(spec);
    expect_that_rows_nest(timeline);
    std::set<std::string> stages;
    std::uint32_t training = profile::kNone;
    for (const profile::Event& event : timeline.events) {
      if (timeline.name(event) == "forward") {
        training = event.track;
      }
    }
    for (const profile::Event& event : timeline.events) {
      if (event.track != training) {
        EXPECT_EQ(event.category, Category::user_annotation);
        stages.emplace(timeline.name(event));
      }
    }
    for (const char* const stage : {"read", "decode", "resize"}) {
      EXPECT_TRUE(stages.contains(stage)) << engine << ": " << stage;
    }
  }
}

TEST(Profile, WithoutLoaderThreadsTheStagesLieInTheWaitForTheBatch) {
  const TrialSpec spec = profiled(small_resnet_on_images());
  reply_of(spec);
  const Timeline timeline = trace_of(spec);
  EXPECT_GE(count_names(timeline)["decode"], 2 * 4);
  expect_that_rows_nest(timeline);
}

TEST(Profile, InferenceIsRecordedToo) {
  TrialSpec spec = profiled(small_spec());
  spec.workload.task = "infer";
  reply_of(spec);
  auto counts = count_names(trace_of(spec));
  EXPECT_EQ(counts["forward"], 2);
  EXPECT_EQ(counts["backward"], 0);
}

TEST(Profile, WhatCannotBeHadIsNamed) {
  TrialSpec spec = profiled(small_spec());
  spec.profile->with_stack = true;
  const TrialReply reply = reply_of(spec);
  EXPECT_EQ(reply.profile->reason, "");
  ASSERT_EQ(reply.profile->refused.size(), 2U);
  EXPECT_EQ(reply.profile->refused[0].option, "cuda");
  EXPECT_EQ(reply.profile->refused[1].option, "with_stack");

  spec = profiled(small_spec());
  spec.profile->cpu = false;
  EXPECT_NE(reply_of(spec).profile->reason, "");
}

TEST(Profile, ATraceThatCannotBeWrittenIsNoFailureOfTheTrial) {
  const TrialSpec spec = profiled(small_spec());
  fs::create_directories(fs::path(spec.folder) / "trace.json.gz");
  const TrialReply reply = reply_of(spec);
  EXPECT_NE(reply.profile->reason.find("cannot be renamed into place"), std::string::npos)
      << reply.profile->reason;
  EXPECT_EQ(reply.profile->file, "");
  EXPECT_FALSE(reply.slices.empty());
}

TEST(Profile, TheCapEndsTheWindow) {
  TrialSpec spec = profiled(small_spec());
  spec.profile->active = 500;
  spec.profile->limit_bytes = 2 << 20;
  const TrialReply reply = reply_of(spec);
  EXPECT_TRUE(reply.profile->cap_reached);
  EXPECT_LT(reply.profile->step_ns.size(), 50U);
  EXPECT_LE(reply.profile->json_bytes, spec.profile->limit_bytes);
  EXPECT_EQ(profile::find_steps(trace_of(spec)).steps.size(), reply.profile->step_ns.size());
}

TEST(Profile, AWorkerThatIsKilledInItHasMeasured) {
  TrialSpec spec = profiled(small_spec());
  spec.profile->wait = 1'000'000;  // half an hour
  runner::RunOptions options;
  options.worker = WORKER_PROGRAM;
  options.phase_limits_ns["profiled"] = 50'000'000;
  const runner::TrialOutcome outcome = runner::run_trial(spec, options);
  ASSERT_EQ(outcome.kind, runner::OutcomeKind::completed) << outcome.reason;
  EXPECT_EQ(outcome.reply->profile->reason, trial::kUnfinishedProfile);
  EXPECT_FALSE(fs::exists(fs::path(spec.folder) / "trace.json.gz"));
}

}  // namespace
}  // namespace tune::worker
