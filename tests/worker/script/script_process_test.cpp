#include "worker/script/script_process.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tune::script {
namespace {

trial::TrialSpec spec_of(std::vector<std::string> command) {
  trial::TrialSpec spec;
  spec.id = "r1-c01";
  spec.workload.script.command = std::move(command);
  spec.workload.script.folder = "/";
  spec.workload.script.observed = {{"num_workers", std::int64_t{2}}};
  spec.knobs = trial::default_settings();
  spec.knobs["num_workers"] = std::int64_t{2};
  return spec;
}

ScriptCommand command_of(const trial::TrialSpec& spec, const char* const* environment = nullptr) {
  return script_command(spec, "/agent", "/trial/agent", environment);
}

TEST(ScriptCommand, ATrialOfTheBaselineChangesNothing) {
  const trial::TrialSpec spec = spec_of({"python", "train.py"});
  EXPECT_EQ(command_of(spec).words, (std::vector<std::string>{"python", "train.py"}));
  EXPECT_TRUE(injected_settings(spec).empty());
}

TEST(ScriptCommand, OptionsOfTheScriptAreUsedInPlaceOfInjection) {
  trial::TrialSpec spec = spec_of({"python", "train.py"});
  spec.workload.script.flags = {{"num_workers", "--workers {}"}, {"amp", "--amp={}"}};
  spec.knobs["num_workers"] = std::int64_t{4};
  spec.knobs["pin_memory"] = true;
  EXPECT_EQ(command_of(spec).words,
            (std::vector<std::string>{"python", "train.py", "--workers", "4"}));
  EXPECT_EQ(injected_settings(spec), (trial::KnobSettings{{"pin_memory", true}}));
}

TEST(ScriptCommand, ALineOfTheShellGetsThemAtItsEnd) {
  trial::TrialSpec spec = spec_of({"/bin/sh", "-c", "cd src && python train.py"});
  spec.workload.script.flags = {{"amp", "--amp {}"}};
  spec.knobs["amp"] = std::string("bf16");
  EXPECT_EQ(command_of(spec).words.back(), "cd src && python train.py --amp 'bf16'");
}

TEST(ScriptCommand, ASwitchIsGivenWhereTheSettingIsTrue) {
  trial::TrialSpec spec = spec_of({"python", "train.py"});
  spec.workload.script.flags = {{"channels_last", "--channels-last"}};
  spec.knobs["channels_last"] = true;
  EXPECT_EQ(command_of(spec).words.back(), "--channels-last");
}

TEST(ScriptCommand, AnAppliedChangeIsGivenAsItIsHandedOver) {
  trial::TrialSpec spec = spec_of({"python", "train.py"});
  spec.workload.script.flags = {{"num_workers", "--workers {}"}};
  spec.workload.script.applied = {.options = {"--name", "a b"},
                                  .environment = {{"OMP_NUM_THREADS", "2"}},
                                  .files = {"lib/model.py"},
                                  .copies = "/run/form"};
  spec.knobs["num_workers"] = std::int64_t{4};
  spec.knobs["pin_memory"] = true;
  const std::array<const char*, 2> before = {"OMP_NUM_THREADS=8", nullptr};
  const ScriptCommand command = command_of(spec, before.data());
  EXPECT_EQ(command.words, (std::vector<std::string>{"python", "train.py", "--name", "a b"}));
  const auto& variables = command.environment;
  EXPECT_EQ(std::count(variables.begin(), variables.end(), "OMP_NUM_THREADS=2"), 1);
  EXPECT_EQ(std::count(variables.begin(), variables.end(), "OMP_NUM_THREADS=8"), 0);
  ASSERT_EQ(command.shield.stand_ins.size(), 1U);
  EXPECT_EQ(command.shield.stand_ins.front().file, "/lib/model.py");
  EXPECT_EQ(command.shield.stand_ins.front().text, "/run/form/lib/model.py");
  EXPECT_TRUE(injected_settings(spec).empty());
  spec.workload.script.command = {"/bin/sh", "-c", "cd src && python train.py"};
  EXPECT_EQ(command_of(spec).words.back(), "cd src && python train.py '--name' 'a b'");
}

TEST(ScriptCommand, TheAgentComesFirstAndTrackersStayOffline) {
  const std::array<const char*, 5> before = {"PYTHONPATH=/mine",
                                             "WANDB_MODE=online",
                                             "TUNE_PARENT=1",
                                             "LD_PRELOAD=libjemalloc.so",
                                             nullptr};
  const auto variables = command_of(spec_of({"python", "train.py"}), before.data()).environment;
  const auto has = [&](const char* variable) {
    return std::find(variables.begin(), variables.end(), variable) != variables.end();
  };
  EXPECT_TRUE(has("PYTHONPATH=/agent:/mine"));
  EXPECT_TRUE(has("TUNE_TRIAL=/trial/agent"));
  EXPECT_TRUE(has("WANDB_MODE=offline"));
  EXPECT_TRUE(has("LD_PRELOAD=libjemalloc.so"));  // a part of what is measured
  EXPECT_FALSE(has("WANDB_MODE=online"));
  EXPECT_FALSE(has("TUNE_PARENT=1"));
}

TEST(ScriptCommand, AnEmptyPathOfModulesStaysEmpty) {
  const std::array<const char*, 2> before = {"PYTHONPATH=", nullptr};
  const auto variables = command_of(spec_of({"python", "train.py"}), before.data()).environment;
  EXPECT_EQ(std::count(variables.begin(), variables.end(), "PYTHONPATH=/agent"), 1);
}

TEST(ScriptCommand, PythonsThatLoadNoAgentAreNamed) {
  EXPECT_EQ(why_not_attached({"python", "-u", "train.py", "-I"}), "");
  EXPECT_EQ(why_not_attached({"/usr/bin/python3.11", "-W", "ignore", "-m", "train", "-S"}), "");
  EXPECT_EQ(why_not_attached({"torchrun", "-I"}), "");
  EXPECT_EQ(why_not_attached({"python3", "-W", "ignore", "-I", "train.py"}).substr(0, 3), "-I ");
  EXPECT_EQ(why_not_attached({"python3", "-uS", "train.py"}).substr(0, 4), "-uS ");
  EXPECT_EQ(why_not_attached({"env", "A=1", "python3", "-E", "train.py"}).substr(0, 3), "-E ");
  EXPECT_EQ(why_not_attached({"uv", "run", "--python", "python3.12", "train.py", "-I"}), "");
  EXPECT_EQ(why_not_attached({"/bin/sh", "-c", "cd a && exec python -I b.py"}).substr(0, 3), "-I ");
  EXPECT_EQ(why_not_attached({"/bin/sh", "-c", "python b.py python -I"}), "");
}

ScriptCommand shell(const std::string& line) {
  return {.words = {"/bin/sh", "-c", line}, .environment = {"PATH=/usr/bin:/bin"}, .folder = "/"};
}

constexpr std::int64_t kSecondNs = 1'000'000'000;

TEST(ScriptProcess, ItsEndIsNamed) {
  ScriptProcess fine(shell("exit 0"));
  EXPECT_TRUE(fine.wait(10 * kSecondNs));
  EXPECT_EQ(fine.how_it_failed(), "");
  ScriptProcess failed(shell("exit 3"));
  EXPECT_TRUE(failed.wait(10 * kSecondNs));
  EXPECT_EQ(failed.how_it_failed(), "exit code 3");
  ScriptProcess killed(shell("kill -SEGV $$"));
  EXPECT_TRUE(killed.wait(10 * kSecondNs));
  EXPECT_EQ(killed.how_it_failed(), "SIGSEGV");
}

TEST(ScriptProcess, WhatItSendsToItsGroupDoesNotReachUs) {
  ScriptProcess process(shell("kill -TERM 0"));
  EXPECT_TRUE(process.wait(10 * kSecondNs));
  EXPECT_EQ(process.how_it_failed(), "SIGTERM");
}

TEST(ScriptProcess, AProgramThatIsNotThereIsAnError) {
  ScriptCommand command = shell("");
  command.words = {"/nothing/here"};
  EXPECT_THROW(ScriptProcess{command}, Error);
  command = shell("exit 0");
  command.folder = "/nothing/here";
  EXPECT_THROW(ScriptProcess{command}, Error);
}

TEST(ScriptProcess, ItRunsOnTheCpusThatAreAsked) {
  ScriptCommand command = shell("grep -q '^Cpus_allowed_list:\\s*0$' /proc/self/status");
  command.cpus = "0";
  ScriptProcess process(command);
  EXPECT_TRUE(process.wait(10 * kSecondNs));
  EXPECT_EQ(process.how_it_failed(), "");
}

// The process that a shell has left in a session of its own, which has said its number.
int number_in(const std::filesystem::path& file) {
  int number = 0;
  for (int i = 0; i < 500 && number == 0; ++i) {
    std::ifstream(file) >> number;
    usleep(10'000);
  }
  EXPECT_GT(number, 0);
  return number;
}

class ScriptProcessEnd : public testing::Test {
 protected:
  ~ScriptProcessEnd() override { std::filesystem::remove(file_); }
  ScriptCommand leaves_a_daemon() const {
    return shell("setsid sh -c 'echo $$ >" + file_.string() + "; exec sleep 600' & exec sleep 600");
  }

  std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("daemon-" + std::to_string(getpid()));
};

TEST_F(ScriptProcessEnd, WhatItHasLeftElsewhereEndsWithIt) {
  ScriptProcess process(leaves_a_daemon());
  const int daemon = number_in(file_);
  EXPECT_FALSE(process.wait(1));
  process.kill();
  EXPECT_EQ(process.how_it_failed(), "SIGKILL");
  EXPECT_NE(kill(daemon, 0), 0);
}

TEST_F(ScriptProcessEnd, SigtermTakesItAlong) {
  const pid_t supervisor = fork();
  if (supervisor == 0) {
    take_script_along();
    ScriptProcess process(leaves_a_daemon());
    while (!process.wait(10'000'000)) {
    }
    _exit(1);
  }
  const int daemon = number_in(file_);
  EXPECT_EQ(kill(supervisor, SIGTERM), 0);
  int status = 0;
  EXPECT_EQ(waitpid(supervisor, &status, 0), supervisor);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  EXPECT_NE(kill(daemon, 0), 0);
}

}  // namespace
}  // namespace tune::script
