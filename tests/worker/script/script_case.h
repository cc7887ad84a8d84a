#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "worker/script/perform_script_trial.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::script {

/// Trials of tests/fake_script/fake_training.py, which needs Python and no torch. Where there is no
/// Python they are skipped.
class ScriptCase : public testing::Test {
 protected:
  ScriptCase() {
    spec_.id = "r1-c01";
    spec_.cell = "baseline";
    spec_.folder = folder_.string();
    spec_.data.source = "script";
    spec_.knobs = trial::default_settings();
    spec_.knobs["num_workers"] = std::int64_t{0};
    spec_.measure = {
        .warmup_steps = 2, .warmup_ns = 0, .slices = 3, .slice_ns = 10'000'000, .slice_steps = 2};
  }

  void SetUp() override {
    if (python().empty()) {
      GTEST_SKIP() << "NOT RUN: trials of scripts need /usr/bin/python3";
    }
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  trial::TrialSpec& spec() { return spec_; }
  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<trial::PhaseSpan>& phases() const { return phases_; }
  std::int64_t took_ns() const { return took_ns_; }
  int saved() const { return saved_; }

  static std::string python() {
    for (const char* const program : {"/usr/bin/python3", "/usr/local/bin/python3"}) {
      if (access(program, X_OK) == 0) {
        return program;
      }
    }
    return "";
  }

  static std::vector<std::string> training(const std::vector<std::string>& options) {
    std::vector<std::string> words = {python(), SOURCE_DIR "/tests/fake_script/fake_training.py"};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }

  trial::TrialReply perform_command(std::vector<std::string> command) {
    spec_.workload.script.command = std::move(command);
    spec_.workload.script.folder = folder_.string();
    spec_.workload.model = "script:fake_training.py";
    spec_.workload.script.observed["num_workers"] = std::int64_t{0};
    worker::PhaseLines lines;
    lines.begin("setup");
    saved_ = 0;
    const std::int64_t begin_ns = monotonic_ns();
    trial::TrialReply reply = perform_script_trial(
        spec_, SOURCE_DIR "/harness/worker/python", lines, [this](auto&) { ++saved_; });
    took_ns_ = monotonic_ns() - begin_ns;
    phases_ = lines.spans();
    return reply;
  }

  trial::TrialReply perform(const std::vector<std::string>& options) {
    return perform_command(training(options));
  }

  /// The sentence with which the trial ends; "" when it is measured.
  std::string failure_of(std::vector<std::string> command) {
    try {
      const trial::TrialReply reply = perform_command(std::move(command));
      return reply.failure ? reply.failure->message : "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  static std::string notes_of(const trial::TrialReply& reply) {
    std::string all;
    for (const std::string& note :
         reply.script ? reply.script->notes : std::vector<std::string>{}) {
      all += note + "\n";
    }
    return all;
  }

  /// Whether the process whose id is in the file is running.
  static bool is_alive(const std::string& file) {
    int process = 0;
    std::ifstream(file) >> process;
    EXPECT_GT(process, 0) << "nobody has written " << file;
    return kill(process, 0) == 0 || errno == EPERM;
  }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                  ("script-" + std::to_string(getpid()) + "-" +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
  trial::TrialSpec spec_;
  std::vector<trial::PhaseSpan> phases_;
  std::int64_t took_ns_ = 0;
  int saved_ = 0;
};

}  // namespace tune::script
