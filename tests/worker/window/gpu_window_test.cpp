#include "worker/gpu_window.h"

#include "stand_in_gpu.h"

#include <gtest/gtest.h>

namespace tune::worker {
namespace {

using Asked = std::vector<std::string>;

TEST(GpuWindow, BeginsWithAnIdleDeviceAndForgetsWhatWasBefore) {
  StandInGpu gpu;
  gpu.steps.resize(3);
  GpuWindow window(gpu);
  window.begin();
  EXPECT_EQ(gpu.asked, (Asked{"synchronize", "collect", "restart_memory_peaks"}));
  EXPECT_TRUE(window.wait().empty());
}

TEST(GpuWindow, StepsAreThoseOfTheTimer) {
  StandInGpu gpu;
  gpu.steps = {{1, 2, 3, 4, 5}, {10, 20, 30, 40, 50}};
  const auto steps = GpuWindow(gpu).wait();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0], (trial::DevicePhaseSums{1, 2, 3, 4, 5}));
  EXPECT_EQ(steps[1].idle_ns, 10);
  EXPECT_EQ(steps[1].optimizer_ns, 50);
  EXPECT_EQ(gpu.asked, (Asked{"synchronize", "collect"})) << "all streams are waited for first";
}

TEST(GpuWindow, MemoryIsTheAllocators) {
  StandInGpu gpu;
  gpu.cuda_memory = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(GpuWindow(gpu).memory(), (trial::DeviceMemory{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(GpuWindow, FactsAreThoseOfTheDevice) {
  CudaFacts facts;
  facts.name = "H100";
  facts.uuid = "GPU-1";
  facts.compute_major = 9;
  facts.memory_bytes = 1 << 30;
  facts.multiprocessors = 132;
  facts.driver_version = 13010;
  facts.runtime_version = 13000;
  facts.cupti_version = 130001;
  facts.cudnn_version = 91900;
  EXPECT_EQ(gpu_facts(facts),
            (trial::GpuFacts{"H100", "GPU-1", 9, 0, 1 << 30, 132, 13010, 13000, 130001, 91900}));
}

}  // namespace
}  // namespace tune::worker
