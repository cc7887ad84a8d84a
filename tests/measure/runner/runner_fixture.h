#pragma once

#include "measure/runner/run_trial.h"
#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace tune::runner {

/// Runs trials of the fake worker in a folder of their own.
class RunnerTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("runner_test." + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    spec_.id = "r1-c01";
    spec_.cell = "c01";
    spec_.workload.model = "mlp";
    spec_.knobs = trial::default_settings();
    spec_.timeout_ns = 20'000'000'000;
    spec_.folder = (folder_ / "trials" / spec_.id).string();
    options_.worker = FAKE_WORKER;
    options_.grace_ns = 100'000'000;
  }
  void TearDown() override {
    unsetenv("TUNE_FAKE_SCRIPT");
    std::filesystem::remove_all(folder_);
  }

  TrialOutcome run(const std::string& script) {
    setenv("TUNE_FAKE_SCRIPT", script.c_str(), 1);
    return run_trial(spec_, options_);
  }
  /// The script with one behaviour, e.g. R"("do": "hang")".
  TrialOutcome run_behaviour(const std::string& behaviour) {
    return run("{\"behaviours\": [{" + behaviour + "}]}");
  }
  std::string log() const {
    std::ifstream in(std::filesystem::path(spec_.folder) / "stderr.log");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
  trial::TrialSpec spec_;
  RunOptions options_;
};

}  // namespace tune::runner
