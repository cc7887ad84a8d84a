#include "measure/runner/run_program.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace tune::worker {
namespace {

// As on GKE and NixOS: only LD_LIBRARY_PATH leads to the driver, here one that is too old.
TEST(Describe, TriesTheDriverThatTheUsersLibraryPathLeadsTo) {
  constexpr std::int64_t kLongNs = 60'000'000'000;
  constexpr std::size_t kMostBytes = 1 << 16;
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("old-driver-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::filesystem::create_symlink(OLD_DRIVER, folder / "libcuda.so.1");
  setenv("LD_LIBRARY_PATH", folder.c_str(), /*overwrite=*/1);
  const runner::ProgramRun run =
      runner::run_program(WORKER_PROGRAM, "--describe", kLongNs, nullptr, kMostBytes);
  unsetenv("LD_LIBRARY_PATH");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(run.problem(), "");
  EXPECT_NE(run.output.find(R"("kind": "driver_too_old")"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("the driver supports CUDA 12.4"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace tune::worker
