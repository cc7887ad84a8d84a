#include "runner/worker_environment.h"

#include "runner/trial_outcome.h"

#include <gtest/gtest.h>

#include <array>
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
