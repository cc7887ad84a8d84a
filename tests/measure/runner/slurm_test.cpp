#include "measure/runner/slurm.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace tune::runner {

namespace {

namespace fs = std::filesystem;

// Programs of Slurm that say what a test wants, in front of PATH.
class FakeSlurm : public testing::Test {
 protected:
  FakeSlurm() : path_(std::getenv("PATH")) {
    fs::create_directories(folder_);
    setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
  }
  ~FakeSlurm() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }

  void program(const std::string& name, const std::string& text) const {
    const fs::path file = folder_ / name;
    std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("tune-slurm-" + std::to_string(getpid()));
  std::string path_;
};

TEST_F(FakeSlurm, GivesAJobItsNumber) {
  program("sbatch", R"([ "$1 $2 $3" = "--parsable --exclusive run.sh" ] && echo "17;cluster")");
  const SlurmJob job = submit_job({"--exclusive", "run.sh"});
  EXPECT_EQ(job.problem, "");
  EXPECT_EQ(job.id, "17");
}

TEST_F(FakeSlurm, IsUnavailableWhereItTakesNoJobs) {
  for (const char* const words :
       {"sbatch: error: Batch job submission failed: Unable to contact slurm controller",
        "sbatch: error: invalid partition specified: none"}) {
    program("sbatch", std::string("echo '") + words + "' >&2; exit 1");
    const SlurmJob job = submit_job({"run.sh"});
    EXPECT_EQ(job.problem, words);
    EXPECT_TRUE(job.is_unavailable);
    EXPECT_EQ(job.id, "");
  }
}

TEST_F(FakeSlurm, IsThereWhereTheArgumentsAreWrong) {
  program("sbatch", "echo \"sbatch: unrecognized option '--nonsense'\" >&2; exit 1");
  const SlurmJob job = submit_job({"--nonsense", "run.sh"});
  EXPECT_EQ(job.problem, "sbatch: unrecognized option '--nonsense'");
  EXPECT_FALSE(job.is_unavailable);
}

TEST_F(FakeSlurm, IsUnavailableWhereItsAnswerIsNoNumber) {
  program("sbatch", "echo Hello");
  EXPECT_EQ(submit_job({"run.sh"}).problem, "it names no job: Hello");
}

TEST_F(FakeSlurm, TellsTheTasksOfAnArray) {
  program("squeue", "echo '17_1|RUNNING|None'; echo '17_2|PENDING|Resources'; echo broken");
  const SlurmQueue queue = ask_queue("17");
  EXPECT_EQ(queue.problem, "");
  ASSERT_EQ(queue.tasks.size(), 2U);
  EXPECT_EQ(queue.tasks[1].id, "17_2");
  EXPECT_EQ(queue.tasks[1].state, "PENDING");
  EXPECT_EQ(queue.tasks[1].reason, "Resources");
}

TEST_F(FakeSlurm, HasNothingOfAJobThatItForgot) {
  program("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
  EXPECT_EQ(ask_queue("17").problem, "");
  EXPECT_TRUE(ask_queue("17").tasks.empty());
  program("squeue", "echo 'squeue: error: Connection refused' >&2; exit 1");
  EXPECT_EQ(ask_queue("17").problem, "squeue: error: Connection refused");
}

TEST_F(FakeSlurm, DescribesHowAJobEndedAsLongAsItKnows) {
  program("scontrol",
          "echo 'JobId=17 UserId=a(1) JobState=TIMEOUT Reason=TimeLimit ExitCode=0:15 "
          "NodeList=node7 BatchHost=node7'");
  EXPECT_EQ(describe_job("17_1"), "JobState=TIMEOUT Reason=TimeLimit ExitCode=0:15 NodeList=node7");
  program("scontrol", "exit 1");
  EXPECT_EQ(describe_job("17_1"), "");
}

}  // namespace

}  // namespace tune::runner
