#include "base/file.h"
#include "small_trial.h"
#include "trial/trial_reply.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;
using trial::TrialSpec;

fs::path write_spec(const TrialSpec& spec) {
  const fs::path file = fs::path(spec.folder) / "spec.json";
  std::ofstream(file) << trial::to_json(spec);
  return file;
}

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// Gone, or a zombie that nobody has reaped.
bool has_ended(const std::string& pid) {
  const std::string stat = first_line("/proc/" + pid + "/stat");
  const auto name_end = stat.rfind(')');
  return name_end == std::string::npos || stat.compare(name_end, 3, ") Z") == 0;
}

template <class Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 400; ++i) {
    if (condition()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  return false;
}

TEST(Child, DiesWithItsParentAndIsTheFirstToGoWhenMemoryRunsOut) {
  TrialSpec spec = small_spec();
  spec.measure.warmup_ns = 60'000'000'000;
  const std::string file = write_spec(spec);
  const std::string phases = spec.folder + "/phases";
  // The shell lives as long as its input, which ends once the line has been read.
  std::string pid = output_of("'" WORKER_PROGRAM "' '" + file + "' 3>'" + phases +
                              "' >/dev/null 2>&1 & echo $!; "
                              "until grep -q warmup '" +
                              phases +
                              "' || ! kill -0 $!; do sleep 0.05; done; "
                              "cat /proc/$!/oom_score_adj; kill -9 $$");
  ASSERT_NE(pid.find('\n'), std::string::npos);
  const std::string score = pid.substr(pid.find('\n') + 1);
  pid.resize(pid.find('\n'));
  EXPECT_EQ(score, "1000\n");
  EXPECT_TRUE(comes_true([&] { return has_ended(pid); })) << "process " << pid << " lives on";
}

TEST(Child, DoesNotBeginForAStarterThatHasGone) {
  const TrialSpec spec = small_spec();
  const std::string file = write_spec(spec);
  EXPECT_EQ(output_of("TUNE_PARENT=2147483647 '" WORKER_PROGRAM "' '" + file + "'; echo $?"),
            "1\n");
  EXPECT_FALSE(fs::exists(fs::path(spec.folder) / "reply.json"));
  // A wrapper may be in between, and a user who starts it by hand sets nothing.
  EXPECT_EQ(output_of("TUNE_PARENT=$PPID '" WORKER_PROGRAM "' '" + file + "'; echo $?"), "0\n");
}

TEST(Child, WorksWhenNobodyListensToItsPhases) {
  const TrialSpec spec = small_spec();
  const std::string file = write_spec(spec);
  EXPECT_EQ(output_of("'" WORKER_PROGRAM "' '" + file + "' 3>&-; echo $?"), "0\n");
  const auto reply =
      trial::parse_trial_reply(read_file(fs::path(spec.folder) / "reply.json"), "reply.json");
  EXPECT_EQ(reply.id, spec.id);
  EXPECT_EQ(first_line(file).find("setup"), std::string::npos) << "a phase went into another file";
}

TEST(Child, SurvivesAReaderThatHasGone) {
  const TrialSpec spec = small_spec();
  const std::string file = write_spec(spec);
  EXPECT_EQ(output_of("{ '" WORKER_PROGRAM "' '" + file + "' 3>&1 >/dev/null; echo $? >'" +
                      spec.folder + "/code'; } | true"),
            "");
  EXPECT_TRUE(comes_true([&] { return first_line(spec.folder + "/code") == "0"; }));
}

TEST(Child, SaysNothingOnStandardOutput) {
  TrialSpec spec = small_spec();
  spec.workload.log_every = 1;
  EXPECT_EQ(output_of("'" WORKER_PROGRAM "' '" + write_spec(spec).string() + "' 2>/dev/null"), "");
}

}  // namespace
}  // namespace tune::worker
