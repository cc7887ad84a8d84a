#include "worker/recorder/kernel_occupancy.h"

#include <gtest/gtest.h>

namespace tune::worker {
namespace {

// NVIDIA's data sheets.
CudaFacts h100() {
  CudaFacts gpu;
  gpu.compute_major = 9;
  gpu.multiprocessors = 132;
  gpu.warp_size = 32;
  gpu.threads_per_multiprocessor = 2'048;
  gpu.registers_per_multiprocessor = 65'536;
  gpu.shared_per_multiprocessor = 233'472;
  return gpu;
}

KernelRow kernel(std::int32_t blocks, std::int32_t threads, std::int32_t registers) {
  KernelRow row;
  row.grid = {blocks, 1, 1};
  row.block = {threads, 1, 1};
  row.registers = registers;
  return row;
}

TEST(KernelOccupancy, BlocksAndWarpsAreSpreadOverTheMultiprocessors) {
  KernelRow row = kernel(64, 128, 32);
  row.grid = {66, 2, 1};
  EXPECT_DOUBLE_EQ(blocks_per_multiprocessor(row, h100()), 1);
  EXPECT_DOUBLE_EQ(warps_per_multiprocessor(row, h100()), 4);
}

// What the occupancy calculator says.
TEST(KernelOccupancy, EachResourceCanBeTheLimit) {
  EXPECT_EQ(blocks_at_once(kernel(1, 1'024, 32), h100()), 2) << "threads";
  EXPECT_EQ(blocks_at_once(kernel(1, 32, 16), h100()), 32) << "blocks";
  EXPECT_EQ(blocks_at_once(kernel(1, 256, 255), h100()), 1) << "registers: 8 warps of 8,192";
  EXPECT_EQ(blocks_at_once(kernel(1, 256, 64), h100()), 4) << "registers";
  KernelRow row = kernel(1, 128, 32);
  row.static_shared = 1'024;
  row.dynamic_shared = 98'304;
  EXPECT_EQ(blocks_at_once(row, h100()), 2) << "shared memory, and 1 KiB of the system's";
}

TEST(KernelOccupancy, IsOfWhatIsThereToRun) {
  EXPECT_EQ(occupancy_percent(kernel(132 * 8, 256, 32), h100()), 100);
  EXPECT_EQ(occupancy_percent(kernel(132 * 100, 256, 32), h100()), 100) << "not more than fits";
  EXPECT_EQ(occupancy_percent(kernel(132, 256, 32), h100()), 13) << "256 of 2,048 threads";
  EXPECT_EQ(occupancy_percent(kernel(132 * 8, 256, 64), h100()), 50);
  EXPECT_EQ(occupancy_percent(kernel(1, 32, 32), h100()), 0);
}

TEST(KernelOccupancy, OfADeviceThatSaysNothingThereIsNone) {
  const KernelRow row = kernel(8, 128, 32);
  EXPECT_EQ(occupancy_percent(row, CudaFacts()), 0);
  EXPECT_EQ(blocks_at_once(row, CudaFacts()), 0);
  EXPECT_EQ(blocks_per_multiprocessor(row, CudaFacts()), 0);
  EXPECT_EQ(warps_per_multiprocessor(row, CudaFacts()), 0);
  EXPECT_EQ(blocks_at_once(KernelRow(), h100()), 0) << "a kernel without threads";
}

}  // namespace
}  // namespace tune::worker
