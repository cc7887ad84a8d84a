// Several devices: processes that train together. Here they are on the CPU, and connected by gloo.

#include "measure/runner/run_trial.h"
#include "small_trial.h"
#include "worker/rank/rank_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;

using trial::RankReport;
using trial::TrialReply;
using trial::TrialSpec;

TrialSpec with_devices(TrialSpec spec, std::int64_t devices) {
  spec.knobs["devices"] = devices;
  spec.timeout_ns = 60'000'000'000;
  return spec;
}

// The parameters after four steps on 16 sequences, two epochs of batches of 8 in all.
std::vector<float> parameters_after(std::int64_t devices,
                                    std::int64_t batch,
                                    std::int64_t batches) {
  TrialSpec spec = with_devices(small_gpt_on_tokens(), devices);
  spec.workload.checkpoint_every = 4;
  spec.knobs["batch_size"] = batch;
  spec.knobs["gradient_accumulation"] = batches;
  spec.measure.slice_steps = 3;
  reply_of(spec);
  std::ifstream file(fs::path(spec.folder) / "checkpoint.bin", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::copy_n(
      bytes.data(), numbers.size() * sizeof(float), reinterpret_cast<char*>(numbers.data()));
  return numbers;
}

float difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_FALSE(a.empty());
  EXPECT_EQ(a.size(), b.size());
  float most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most;
}

TEST(Devices, TwoProcessesTrainAsOneWithTheDoubleBatch) {
  const std::vector<float> one = parameters_after(1, 8, 1);
  EXPECT_LT(difference(parameters_after(2, 4, 1), one), 1e-5F);
  EXPECT_LT(difference(parameters_after(2, 2, 2), one), 1e-5F) << "with accumulated gradients";
  EXPECT_GT(difference(parameters_after(1, 4, 1), one), 1e-4F) << "a half batch is another one";
}

TEST(Devices, SamplesAreThoseOfAllRanks) {
  TrialSpec spec = with_devices(small_spec(), 2);
  spec.measure.slice_steps = 6;
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].steps, 6);
  EXPECT_EQ(reply.slices[0].samples, 2 * 6 * 4);
  ASSERT_EQ(reply.ranks.size(), 2U);
  for (const RankReport& rank : reply.ranks) {
    EXPECT_EQ(rank.rank, &rank - reply.ranks.data());
    EXPECT_EQ(rank.steps, 6);
    EXPECT_EQ(rank.samples, 6 * 4);
    EXPECT_GT(rank.own.forward_ns, 0);
    EXPECT_GT(rank.own.backward_ns, 0);
    EXPECT_GT(rank.communication_ns, 0);
    EXPECT_GT(rank.peak_memory_bytes, 1 << 20);
  }
  EXPECT_EQ(reply.ranks[0].wall_ns(), reply.slices[0].wall_ns) << "its own and what it waited";
  EXPECT_EQ(reply.peak_memory_bytes,
            reply.ranks[0].peak_memory_bytes + reply.ranks[1].peak_memory_bytes);
  EXPECT_EQ(*trial::throughput(reply),
            static_cast<double>(2 * 6 * 4) * 1e9 / static_cast<double>(reply.slices[0].wall_ns));
}

// 18 samples are 9 of each rank: batches of 4, 4 and 1.
TEST(Devices, AnEpochHasEachRanksPart) {
  TrialSpec spec = with_devices(small_spec(), 2);
  spec.data.samples = 18;
  spec.measure.epoch = true;
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 2U);
  EXPECT_EQ(reply.slices[0].steps, 3);
  EXPECT_EQ(reply.slices[0].samples, 18);
}

TEST(Devices, BuffersAreThoseOfRankZeroAndImagesAreSharedOut) {
  for (const char* const loader : {"ring", "libtorch"}) {
    TrialSpec spec = with_devices(small_resnet_on_images(), 2);  // 12 images
    spec.knobs["loader"] = std::string(loader);
    spec.measure.slice_steps = 4;
    const TrialReply reply = reply_of(spec);
    ASSERT_EQ(reply.ranks.size(), 2U) << loader;
    EXPECT_EQ(reply.ranks[1].samples, 2 * (4 + 2)) << loader << ": 6 images are batches of 4 and 2";
    EXPECT_GT(reply.ranks[1].own.data_wait_ns, 0);
  }
}

TEST(Devices, TheLoaderAloneKeepsPaceAndStepsAreRecorded) {
  TrialSpec loader = with_devices(small_spec(), 2);
  loader.measure.loader_only = true;
  EXPECT_EQ(reply_of(loader).slices.at(0).samples, 2 * 2 * 4);
  TrialSpec recorded = with_devices(small_spec(), 2);
  recorded.profile.emplace();
  const TrialReply reply = reply_of(recorded);
  ASSERT_TRUE(reply.profile);
  EXPECT_EQ(reply.profile->reason, "");
  EXPECT_EQ(reply.ranks.size(), 2U);
}

TEST(Devices, NothingIsLeftToAverageInInference) {
  TrialSpec spec = with_devices(small_spec(), 2);
  spec.workload.task = "infer";
  const runner::TrialOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, runner::OutcomeKind::refused) << outcome.reason;
  EXPECT_NE(outcome.reason.find("knobs.devices: 2 needs task train"), std::string::npos)
      << outcome.reason;
}

// 0: there is none.
int process_of_rank(const TrialSpec& spec, const std::string& rank) {
  const std::string wanted = spec.folder + "/rank-" + rank + "/spec.json";
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string words((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
    if (words.find(wanted) != std::string::npos) {
      return std::stoi(entry.path().filename().string());
    }
  }
  return 0;
}

// A trial that measures until something happens to its rank 1.
runner::TrialOutcome disturbed(TrialSpec spec, const std::function<void(int process)>& disturb) {
  spec.measure.slice_ns = 100'000'000'000;
  runner::RunOptions options;
  options.worker = WORKER_PROGRAM;
  options.on_phase = [&](const runner::PhaseArrival& arrival) {
    if (arrival.phase == "measure") {
      const int process = process_of_rank(spec, "1");
      ASSERT_GT(process, 0);
      disturb(process);
    }
  };
  return runner::run_trial(spec, options);
}

runner::TrialOutcome signalled(const TrialSpec& spec, int signal) {
  return disturbed(spec, [&](int process) { kill(process, signal); });
}

TEST(Devices, ARankThatDiesEndsTheTrialAndIsNamed) {
  const runner::TrialOutcome killed = signalled(with_devices(small_spec(), 2), SIGKILL);
  EXPECT_EQ(killed.kind, runner::OutcomeKind::out_of_memory);
  EXPECT_EQ(killed.reason, "out-of-memory (probable): rank 1 was killed by SIGKILL");
  const runner::TrialOutcome crashed = signalled(with_devices(small_spec(), 3), SIGSEGV);
  EXPECT_EQ(crashed.kind, runner::OutcomeKind::crashed);
  EXPECT_EQ(crashed.reason, "rank 1 was killed by SIGSEGV");
}

TEST(Devices, ARankThatHangsIsNamedWhenTheTimeIsOver) {
  TrialSpec spec = with_devices(small_spec(), 2);
  spec.timeout_ns = 8'000'000'000;
  const runner::TrialOutcome outcome = disturbed(spec, [&](int process) {
    const RankPage page = RankPage::open(spec.folder, 2);
    const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
    for (kill(process, SIGSTOP), pause(); page.is_waiting(1); kill(process, SIGSTOP), pause()) {
      kill(process, SIGCONT);  // it was waiting itself
      pause();
    }
  });
  EXPECT_EQ(outcome.kind, runner::OutcomeKind::timed_out);
  EXPECT_NE(outcome.reason.find("no step for "), std::string::npos) << outcome.reason;
  EXPECT_NE(outcome.reason.find("rank 1 is in step "), std::string::npos) << outcome.reason;
  EXPECT_NE(outcome.reason.find(", rank 0 waits for it"), std::string::npos) << outcome.reason;
  EXPECT_EQ(process_of_rank(spec, "1"), 0) << "nothing stays behind";
}

TEST(Devices, ARankThatRefusesSaysWhy) {
  TrialSpec spec = with_devices(small_spec(), 2);
  spec.data.source = "image-folder";
  spec.data.path = spec.folder + "/no-such-folder";
  const runner::TrialOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, runner::OutcomeKind::refused) << outcome.reason;
  EXPECT_NE(outcome.reason.find("no-such-folder"), std::string::npos) << outcome.reason;
}

}  // namespace
}  // namespace tune::worker
