#include "worker/script/perform_script_trial.h"

#include "base/error.h"
#include "script_case.h"
#include "worker/script/script_reply.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace tune::script {
namespace {

using Words = std::vector<std::string>;

TEST_F(ScriptCase, TheWindowIsMeasuredAndItsPartsSumToIt) {
  const trial::TrialReply reply = perform({"--step-ms", "10"});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  ASSERT_EQ(reply.slices.size(), 3U);
  std::size_t steps = 0;
  for (const trial::Slice& slice : reply.slices) {
    EXPECT_EQ(slice.phases.total_ns(), slice.wall_ns);
    EXPECT_GE(slice.wall_ns, spec().measure.slice_ns);
    EXPECT_EQ(slice.samples, 32 * slice.steps);
    EXPECT_GT(slice.phases.data_wait_ns, 0);
    EXPECT_GT(slice.phases.backward_ns, slice.phases.data_wait_ns) << "a fifth of a step waits";
    steps += static_cast<std::size_t>(slice.steps);
  }
  EXPECT_EQ(reply.step_phases.size(), steps);
  EXPECT_GE(reply.warmup_steps, 2);
  EXPECT_GE(reply.step_ns.size(), static_cast<std::size_t>(reply.warmup_steps) + steps);
  EXPECT_EQ(reply.facts.torch_version, "2.11.0");
  ASSERT_TRUE(reply.script);
  EXPECT_EQ(reply.script->observed.at("num_workers"), trial::KnobValue(std::int64_t{0}));
  EXPECT_EQ(trial::parse_trial_reply(trial::to_json(reply), "reply.json").slices.size(), 3U);
  EXPECT_EQ(saved(), 1);
}

TEST_F(ScriptCase, PhasesBeginWhereTheAgentSaysSo) {
  ASSERT_FALSE(perform({"--starts-for", "0.2"}).failure);
  std::vector<std::string> names;
  for (const trial::PhaseSpan& span : phases()) {
    names.push_back(span.name);
  }
  EXPECT_EQ(names, (Words{"setup", "first-batch", "warmup", "measure", "write"}));
  std::ifstream file(folder() / "agent/phases");
  std::string phase;
  for (std::int64_t moment_ns = 0; file >> phase >> moment_ns;) {
    if (phase != "setup") {  // the agent's own begins after ours
      const auto span = std::find_if(
          phases().begin(), phases().end(), [&](const auto& each) { return each.name == phase; });
      ASSERT_NE(span, phases().end()) << phase;
      EXPECT_EQ(span->start_ns, moment_ns) << phase;
    }
  }
}

TEST_F(ScriptCase, AWarmUpIsFound) {
  spec().measure.find_warmup = true;
  spec().measure.warmup_limit_ns = 400'000'000;
  const trial::TrialReply reply = perform({"--step-ms", "1"});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_TRUE(reply.warmup_search);
}

TEST_F(ScriptCase, KnobsReachTheScript) {
  const Words options = {"--step-ms", "4", "--faster", "num_workers=2:0.25"};
  const auto slow = trial::throughput(perform(options));
  spec().knobs["num_workers"] = std::int64_t{2};
  const trial::TrialReply reply = perform(options);
  const auto fast = trial::throughput(reply);
  ASSERT_TRUE(slow && fast);
  EXPECT_GT(*fast, 1.5 * *slow);
  EXPECT_EQ(reply.script->applied.at("num_workers"), trial::KnobValue(std::int64_t{2}));
}

TEST_F(ScriptCase, AnOptionOfTheScriptIsUsedInPlaceOfInjection) {
  spec().workload.script.flags = {{"num_workers", "--workers {}"}};
  spec().knobs["num_workers"] = std::int64_t{2};
  const trial::TrialReply reply = perform({});
  ASSERT_TRUE(reply.script);
  EXPECT_TRUE(reply.script->applied.empty());
  EXPECT_EQ(reply.script->observed.at("num_workers"), trial::KnobValue(std::int64_t{2}));
}

TEST_F(ScriptCase, SamplesOfAllRanksAreSummed) {
  const trial::TrialReply reply = perform({"--ranks", "2", "--step-ms", "3"});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_EQ(reply.script->ranks, 2);
  std::int64_t steps = 0, samples = 0;
  for (const trial::Slice& slice : reply.slices) {
    steps += slice.steps;
    samples += slice.samples;
  }
  EXPECT_GT(samples, 45 * steps) << "64 of each step, but the two do not wait for one another";
}

TEST_F(ScriptCase, ARankThatComesLateIsEndedToo) {
  spec().measure.slices = 20;
  const trial::TrialReply reply = perform({"--ranks", "2", "--late-rank", "0.3"});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_LT(took_ns(), 8'000'000'000) << "nobody waited for it in vain";
}

TEST_F(ScriptCase, TheWindowEndsAtALineOfItsOutput) {
  spec().workload.script.stop_at = "^accuracy: [0-9.]+$";
  spec().measure.slices = 1000;
  const trial::TrialReply reply = perform({"--step-ms", "1", "--says", "100:accuracy: 0.5"});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_LT(reply.slices.size(), 50U);
  EXPECT_LT(reply.step_ns.size(), 300U) << "it continues for no more than a look takes";
  EXPECT_GE(reply.step_ns.size(), 100U);
  EXPECT_NE(notes_of(reply).find("the line of 'stop' ended the measured window"),
            std::string::npos);
}

TEST_F(ScriptCase, ALineThatComesBeforeTheWindowIsRefused) {
  spec().workload.script.stop_at = "accuracy";
  spec().measure.warmup_steps = 1'000'000;
  EXPECT_NE(failure_of(training({"--step-ms", "1", "--says", "20:accuracy"}))
                .find("the line of 'stop' was printed after "),
            std::string::npos);
  EXPECT_LT(took_ns(), 8'000'000'000);
}

TEST_F(ScriptCase, ALineThatNeverComesLeavesTheWindowAsItIs) {
  spec().workload.script.stop_at = "accuracy";
  const trial::TrialReply reply = perform({"--says", "0:loss"});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_EQ(reply.slices.size(), 3U);
}

TEST_F(ScriptCase, AScriptMayEndByItselfAfterItsWindow) {
  spec().workload.script.stop_after = "script";
  const std::string child = (folder() / "child").string();
  const trial::TrialReply reply =
      perform({"--step-ms", "1", "--steps", "300", "--exit", "3", "--leaves-child", child});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_EQ(reply.slices.size(), 3U);
  EXPECT_GT(took_ns(), 300'000'000) << "all of its steps";
  EXPECT_NE(notes_of(reply).find("after its window the script ended with exit code 3"),
            std::string::npos);
  EXPECT_FALSE(is_alive(child));
}

TEST_F(ScriptCase, WithoutOverlaysWhatItWritesIsUndoneFromACopy) {
  const std::filesystem::path out = folder() / "out";
  std::filesystem::create_directories(out);
  std::ofstream(out / "log") << "mine\n";
  spec().workload.script.shield = {out.string()};
  setenv("TUNE_NO_OVERLAY", "1", 1);
  const trial::TrialReply reply = perform({"--log", (out / "log").string()});
  unsetenv("TUNE_NO_OVERLAY");
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_EQ(reply.script->written, Words{(out / "log").string()});
  EXPECT_NE(notes_of(reply).find("overlays are not allowed here (TUNE_NO_OVERLAY is set)"),
            std::string::npos);
  std::string text;
  std::getline(std::ifstream(out / "log"), text, '\0');
  EXPECT_EQ(text, "mine\n");
}

TEST_F(ScriptCase, WhoIgnoresItsEndIsKilledWithAllThatItStarted) {
  const std::string file = (folder() / "child").string();
  const trial::TrialReply reply = perform({"--ignore", "end", "--leaves-child", file});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_EQ(reply.slices.size(), 3U);
  EXPECT_LT(took_ns(), 8'000'000'000);
  EXPECT_FALSE(is_alive(file));
}

TEST_F(ScriptCase, StepsAreRecordedAfterTheReplyIsSafe) {
  spec().profile.emplace();
  const trial::TrialReply reply = perform({});
  ASSERT_TRUE(reply.profile);
  EXPECT_EQ(reply.profile->reason, "nothing records here");
  EXPECT_EQ(reply.slices.size(), 3U);
  EXPECT_EQ(phases().back().name, "profiled");
}

TEST_F(ScriptCase, TheTraceLiesBesideTheReply) {
  spec().profile.emplace();
  const trial::TrialReply reply = perform({"--trace"});
  ASSERT_TRUE(reply.profile);
  EXPECT_EQ(reply.profile->file, "trace.json.gz");
  EXPECT_GT(std::filesystem::file_size(folder() / reply.profile->file), 0U);
  EXPECT_NO_THROW(trial::parse_trial_reply(trial::to_json(reply), "reply.json"));
}

TEST_F(ScriptCase, InferenceIsCountedByBatches) {
  spec().workload.script.count = "batches";
  const trial::TrialReply reply = perform({});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_EQ(reply.slices[0].samples, 32 * reply.slices[0].steps);
}

TEST_F(ScriptCase, AScriptThatEndsInItsWindowGivesWhatIsThere) {
  spec().measure.slices = 1'000;
  const trial::TrialReply reply = perform({"--steps", "60"});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_GT(reply.slices.size(), 1U);
  EXPECT_NE(notes_of(reply).find("ended in its measured window"), std::string::npos);
}

TEST_F(ScriptCase, AScriptThatFailsInItsWindowHasFailed) {
  spec().measure.slices = 1'000;
  const trial::TrialReply reply = perform({"--fail-at", "60"});
  ASSERT_TRUE(reply.failure);
  EXPECT_NE(reply.failure->message.find("ValueError: 3 is not 4"), std::string::npos);
}

struct BadEnd {
  Words options;
  std::string kind, sentence;
};

TEST_F(ScriptCase, EachBadEndIsNamed) {
  const std::vector<BadEnd> ends = {
      {{"--fail-at", "0"}, "threw", "failed before its first step: ValueError: 3 is not 4"},
      {{"--fail-at", "2"}, "threw", "failed after 1 step: ValueError"},
      {{"--never"}, "refused", "made no step of an optimizer"},
      {{"--never", "--no-torch"}, "refused", "ended without importing torch"},
      {{"--never", "--exit", "4"}, "threw", "ended with exit code 4 before its first step"},
      {{"--steps", "3"}, "refused", "ended after 2 steps, before its window was measured"},
      {{"--steps", "3", "--exit", "4"}, "threw", "ended with exit code 4 after 2 steps"},
      {{"--steps", "0", "--leave"}, "refused", "without Python's own end"},
      {{"--steps", "3", "--leave"}, "refused", "ended after 2 steps"},
      {{"--kill-group", "3"}, "threw", "ended with SIGTERM after 2 steps"},
      {{"--daemon"}, "refused", "continued in the background"}};
  for (const BadEnd& end : ends) {
    const trial::TrialReply reply = perform(end.options);
    ASSERT_TRUE(reply.failure) << end.sentence;
    EXPECT_EQ(reply.failure->kind, end.kind) << end.sentence;
    EXPECT_NE(reply.failure->message.find(end.sentence), std::string::npos)
        << reply.failure->message;
  }
}

TEST_F(ScriptCase, CommandsThatLoadNoAgentAreNamed) {
  EXPECT_NE(failure_of({"/bin/true"}).find("agent was never loaded"), std::string::npos);
  EXPECT_NE(failure_of({python(), "-I", "train.py"}).find("-I keeps Python from"),
            std::string::npos);
  EXPECT_NE(failure_of({"/bin/sh", "-c", "kill -KILL $$"}).find("out-of-memory (probable)"),
            std::string::npos);
  EXPECT_NE(failure_of({"/nonexistent/python"}).find("cannot be started"), std::string::npos);
  EXPECT_NE(failure_of({python(), "-c", "import nothing"}).find("No module named 'nothing'"),
            std::string::npos);
}

TEST_F(ScriptCase, NotesThatCannotBeEndTheTrialWithASentence) {
  spec().measure.slices = 1'000;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"ring", "of no known kind"}, {"begun", "more segments begun"}, {"cut", "was cut"}};
  for (const auto& [garbage, sentence] : cases) {
    const std::string problem =
        failure_of(training({"--garbage", garbage, "--garbage-at", "10", "--steps", "1000"}));
    EXPECT_NE(problem.find(sentence), std::string::npos) << garbage << ": " << problem;
  }
}

TEST_F(ScriptCase, OtherGarbageCostsNoMeasurement) {
  for (const char* const garbage : {"header", "facts", "deep", "pipe", "phases"}) {
    const bool is_mapped_by_then = garbage == std::string("header");
    const trial::TrialReply reply =
        perform({"--garbage", garbage, "--garbage-at", is_mapped_by_then ? "12" : "1"});
    ASSERT_FALSE(reply.failure) << garbage << ": " << reply.failure->message;
    EXPECT_EQ(reply.slices.size(), 3U) << garbage;
    const bool is_told = notes_of(reply).find("facts could not be read") != std::string::npos;
    EXPECT_EQ(is_told, garbage == std::string("facts") || garbage == std::string("deep"))
        << garbage << ": " << notes_of(reply);
    EXPECT_NO_THROW(trial::parse_trial_reply(trial::to_json(reply), "reply.json")) << garbage;
  }
}

TEST_F(ScriptCase, HabitsOfScriptsDoNotMatter) {
  for (const Words& options : {Words{"--print-to", "3"},
                               Words{"--read-stdin"},
                               Words{"--chdir", "/"},
                               Words{"--prints", "100"}}) {
    const trial::TrialReply reply = perform(options);
    ASSERT_FALSE(reply.failure) << options.front() << ": " << reply.failure->message;
    EXPECT_EQ(reply.slices.size(), 3U) << options.front();
  }
}

TEST_F(ScriptCase, WhatAnEarlierTryHasLeftIsGone) {
  std::filesystem::create_directories(folder() / "agent");
  for (const char* const name : {"claim.0", "stopped.0", "notes.0", "facts.0.json", "phases"}) {
    std::ofstream(folder() / "agent" / name) << "old";
  }
  const trial::TrialReply reply = perform({});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
}

TEST_F(ScriptCase, WithoutRoomForNotesTheMachineIsToBlame) {
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit small = before;
  small.rlim_cur = 100'000;
  setrlimit(RLIMIT_FSIZE, &small);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  EXPECT_THROW(perform({}), MachineError);
  setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace tune::script
