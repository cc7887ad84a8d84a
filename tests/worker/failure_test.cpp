#include "base/error.h"
#include "small_trial.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tune::worker {
namespace {

using runner::OutcomeKind;
using runner::TrialOutcome;
using trial::TrialSpec;

void expect_refused(const TrialSpec& spec, const std::string& word) {
  const TrialOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, OutcomeKind::refused) << outcome.reason;
  EXPECT_NE(outcome.reason.find(word), std::string::npos) << outcome.reason;
}

TEST(Failure, AnUnknownModelIsRefusedWithASuggestion) {
  TrialSpec spec = small_spec();
  spec.workload.model = "resnet81";
  expect_refused(spec, "did you mean resnet18?");
}

TEST(Failure, AShapeThatMakesNoNetworkIsRefused) {
  TrialSpec no_classes = small_spec();
  no_classes.workload.classes = 0;
  expect_refused(no_classes, "classes");
  TrialSpec tiny = small_resnet();
  tiny.workload.image_size = 1;
  expect_refused(tiny, "image_size");
  TrialSpec huge = small_spec();
  huge.workload.image_size = 16'000;
  expect_refused(huge, "image_size");
}

// CUDA_VISIBLE_DEVICES hides any GPU.
TEST(Failure, AGpuThatIsNotThereIsRefusedWithTheReason) {
  setenv("CUDA_VISIBLE_DEVICES", "-1", /*overwrite=*/1);
  TrialSpec spec = small_spec();
  spec.workload.device = "cuda";
  expect_refused(spec, "workload.device: cuda is not available (");
  spec = small_spec();
  spec.workload.device = "auto";
  const TrialOutcome outcome = run(spec);
  unsetenv("CUDA_VISIBLE_DEVICES");
  ASSERT_TRUE(outcome.reply) << outcome.reason;
  EXPECT_EQ(outcome.reply->facts.device, "cpu");
  EXPECT_NE(outcome.reply->facts.no_gpu, "");
}

TEST(Failure, CpusThatAreNotOursAreRefused) {
  for (const char* const cpus : {"1000", "0-1000", "3-1", "0,,1"}) {
    TrialSpec spec = small_spec();
    spec.knobs["cpu_affinity"] = std::string(cpus);
    expect_refused(spec, "cpu_affinity");
  }
}

TEST(Failure, DataThatIsNotThereIsRefused) {
  TrialSpec spec = small_spec();
  spec.data.source = "image-folder";
  spec.data.path = spec.folder + "/no-such-folder";
  expect_refused(spec, "no-such-folder");
  TrialSpec empty = small_spec();
  empty.data.samples = 0;
  expect_refused(empty, "samples");
}

TEST(Failure, ADamagedSpecIsRefusedInItsOwnFolder) {
  TrialSpec spec = small_spec();
  for (const char* const damage :
       {"printf '{' > \"$1\"", "printf '' > \"$1\"", "rm \"$1\"", "printf '[1,2]' > \"$1\""}) {
    const TrialOutcome outcome = run(spec, worker_after(damage));
    EXPECT_EQ(outcome.kind, OutcomeKind::refused) << damage << ": " << outcome.reason;
    EXPECT_NE(outcome.reason.find("spec.json"), std::string::npos) << outcome.reason;
  }
}

TEST(Failure, RunningOutOfMemoryIsNotACrash) {
  TrialSpec spec = small_spec();
  spec.workload.image_size = 2048;  // the first layer takes 3 GiB
  const TrialOutcome outcome = run(spec, worker_after("ulimit -v 3000000"));
  EXPECT_EQ(outcome.kind, OutcomeKind::out_of_memory) << outcome.reason;
  EXPECT_FALSE(outcome.reason.empty());
}

TEST(Failure, WithoutRoomForItsReplyIsTheMachines) {
  EXPECT_THROW(run(small_spec(), worker_after("ulimit -f 0")), MachineError);
}

// A thread's stack of this size fits into no address space, so even root gets no thread.
TEST(Failure, WithoutThreadsItIsTheMachines) {
  EXPECT_THROW(run(small_spec(), worker_after("ulimit -s $((1 << 37))")), MachineError);
}

TEST(Failure, AWrongCommandLineIsExplained) {
  EXPECT_NE(output_of("'" WORKER_PROGRAM "' 2>&1; echo $?").find("usage: tune-worker"),
            std::string::npos);
  EXPECT_NE(output_of("'" WORKER_PROGRAM "' --nonsense 2>&1; echo $?").find("\n2\n"),
            std::string::npos);
}

}  // namespace
}  // namespace tune::worker
