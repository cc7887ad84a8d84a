#include "measure/runner/environment.h"

#include "measure/runner/trial_outcome.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tune::runner {

namespace {

TEST(WorkerEnvironment, LosesWhatLoadsOtherCodeAndKeepsTheRest) {
  const std::array<const char*, 12> environment = {"HOME=/home/ada",
                                                   "TUNE_PARENT=1",
                                                   "LD_PRELOAD=evil.so",
                                                   "LD_AUDIT=",
                                                   "LD_LIBRARY_PATH=/opt",
                                                   "KINETO_USE_DAEMON=1",
                                                   "CUDA_INJECTION64_PATH=x",
                                                   "NVTX_INJECTION64_PATH=x",
                                                   "OMP_NUM_THREADS=1",
                                                   "LD_PRELOADED=mine",
                                                   "LD_PRELOAD",
                                                   nullptr};
  const std::string parent = "TUNE_PARENT=" + std::to_string(getpid());
  const std::vector<std::string> kept = {
      "HOME=/home/ada", "OMP_NUM_THREADS=1", "LD_PRELOADED=mine", parent};
  const WorkerEnvironment result = worker_environment(environment.data());
  EXPECT_EQ(result.variables, kept);
  EXPECT_EQ(worker_environment(nullptr).variables, std::vector<std::string>{parent});
  EXPECT_TRUE(worker_environment(nullptr).removed.empty());
  const std::vector<std::string> removed = {"LD_PRELOAD",
                                            "LD_LIBRARY_PATH",
                                            "KINETO_USE_DAEMON",
                                            "CUDA_INJECTION64_PATH",
                                            "NVTX_INJECTION64_PATH"};
  EXPECT_EQ(result.removed, removed) << "what is empty had no effect";
}

// GKE, NixOS and cuda-compat keep the driver where nothing else leads to.
TEST(WorkerEnvironment, KeepsTheFoldersOfTheDriver) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("driver-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "lib64");
  std::ofstream(folder / "lib64/libcuda.so.1") << "a driver\n";
  const std::string driver = (folder / "lib64").string();
  const std::string kept = "LD_LIBRARY_PATH=" + driver;
  const std::string both = "LD_LIBRARY_PATH=/opt:" + driver + ":" + folder.string() + "::lib64";
  const std::array<const char*, 2> mixed = {both.c_str(), nullptr};
  const WorkerEnvironment result = worker_environment(mixed.data());
  EXPECT_EQ(result.variables.front(), kept);
  EXPECT_EQ(
      result.removed,
      std::vector<std::string>{"LD_LIBRARY_PATH (but for " + driver + ", where libcuda.so.1 is)"});
  const std::array<const char*, 2> alone = {kept.c_str(), nullptr};
  EXPECT_EQ(worker_environment(alone.data()).variables.front(), kept);
  EXPECT_TRUE(worker_environment(alone.data()).removed.empty());
  std::filesystem::remove_all(folder);
}

// LibTorch's CUDA libraries must not be those that lie beside a driver.
TEST(WorkerEnvironment, LooksForItsLibrariesBeforeTheDriver) {
  const std::filesystem::path driver =
      std::filesystem::path(testing::TempDir()) / ("driver-behind-" + std::to_string(getpid()));
  std::filesystem::create_directories(driver);
  std::ofstream(driver / "libcuda.so.1") << "a driver\n";
  const std::string users = "LD_LIBRARY_PATH=/opt:" + driver.string();
  const std::array<const char*, 2> environment = {users.c_str(), nullptr};
  EXPECT_EQ(worker_environment(environment.data(), {"/torch/lib", "/nvidia/lib"}).variables.front(),
            "LD_LIBRARY_PATH=/torch/lib:/nvidia/lib:" + driver.string());
  EXPECT_EQ(worker_environment(nullptr, {"/torch/lib"}).variables.front(),
            "LD_LIBRARY_PATH=/torch/lib");
  std::filesystem::remove_all(driver);
}

TEST(OutcomeKind, NamesAreReadBack) {
  for (int i = 0; i <= static_cast<int>(OutcomeKind::interrupted); ++i) {
    const auto kind = static_cast<OutcomeKind>(i);
    EXPECT_EQ(parse_outcome_kind(name(kind)), kind);
  }
  EXPECT_EQ(name(OutcomeKind::timed_out), "timed-out");
  EXPECT_FALSE(parse_outcome_kind("bored").has_value());
}

}  // namespace

}  // namespace tune::runner
