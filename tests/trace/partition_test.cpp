#include "trace/partition.h"

#include "trace_text.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace tune::profile {
namespace {

std::int64_t exposed(const Partition& partition, Role role) {
  return partition.total.exposed_ns[static_cast<std::size_t>(role)];
}

std::int64_t overlapped(const Partition& partition, Role role) {
  return partition.total.overlapped_ns[static_cast<std::size_t>(role)];
}

// Step [0, 100) us: loader 0-20, operator 15-60, launch 30-35, kernel 40-70, all-reduce 65-80, copy
// 78-85; the rest is other.
std::string one_step() {
  return row("user_annotation", "ProfilerStep#3", "0", "100") + "," +
         row("user_annotation",
             "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
             "0",
             "20") +
         "," + row("cpu_op", "aten::mm", "15", "45") + "," +
         row("cuda_runtime", "cudaLaunchKernel", "30", "5", R"("correlation": 1)") + "," +
         row("kernel", "gemm", "40", "30", R"("correlation": 1, "device": 0, "stream": 7)") + "," +
         row("kernel", "ncclDevKernel_AllReduce", "65", "15", R"("device": 0, "stream": 20)") +
         "," +
         row("gpu_memcpy",
             "Memcpy DtoH (Device -> Pageable)",
             "78",
             "7",
             R"("device": 0, "stream": 7)") +
         "," + row("gpu_user_annotation", "ProfilerStep#3", "40", "500");
}

TEST(Partition, GivesEachMomentToTheFirstRoleThatHasIt) {
  const Partition partition = partition_steps(read_events(one_step()));
  ASSERT_EQ(partition.steps.steps.size(), 1U);
  EXPECT_TRUE(partition.steps.are_known);
  EXPECT_EQ(partition.steps.steps[0].number, 3);
  EXPECT_EQ(partition.total_ns(), 100'000);
  EXPECT_EQ(exposed(partition, Role::kernel), 30'000);
  EXPECT_EQ(exposed(partition, Role::communication), 10'000);
  EXPECT_EQ(overlapped(partition, Role::communication), 5'000);
  EXPECT_EQ(exposed(partition, Role::memcpy), 5'000);
  EXPECT_EQ(overlapped(partition, Role::memcpy), 2'000);
  EXPECT_EQ(exposed(partition, Role::memset), 0);
  EXPECT_EQ(exposed(partition, Role::runtime), 5'000);
  EXPECT_EQ(exposed(partition, Role::data_loading), 20'000);
  EXPECT_EQ(exposed(partition, Role::cpu_op), 15'000);
  EXPECT_EQ(overlapped(partition, Role::cpu_op), 30'000);
  EXPECT_EQ(exposed(partition, Role::other), 15'000);
  EXPECT_EQ(partition.communication_beside_kernels_ns, 10'000);
  EXPECT_EQ(partition.copies_beside_both_ns, 5'000);
  ASSERT_EQ(partition.device_busy.size(), 1U);
  EXPECT_EQ(length_ns(partition.device_busy.at(0)), 45'000);
}

TEST(Partition, TakesStepsFromTheHostOnlyAndReportsTheTail) {
  const Partition partition =
      partition_steps(read_events(row("gpu_user_annotation", "ProfilerStep#1", "0", "900") + "," +
                                  row("user_annotation", "ProfilerStep#1", "10", "20") + "," +
                                  row("kernel", "late", "25", "15")));
  EXPECT_EQ(partition.total_ns(), 20'000);
  EXPECT_EQ(exposed(partition, Role::kernel), 5'000);
  EXPECT_EQ(partition.device_tail_ns, 10'000);
}

TEST(Partition, WithoutMarksIsOneStepOfWorkRows) {
  const Partition partition = partition_steps(read_events(
      row("Trace", "PyTorch Profiler (0)", "0", "1000") + "," +
      row("overhead", "Buffer Flush", "5", "900") + "," + row("cpu_op", "aten::add", "100", "10") +
      "," + row("cuda_runtime", "cudaDeviceSynchronize", "120", "30")));
  EXPECT_FALSE(partition.steps.are_known);
  EXPECT_EQ(partition.total_ns(), 50'000);
  EXPECT_EQ(exposed(partition, Role::other), 10'000);
}

TEST(Partition, OfTheCpuAloneHasNoDeviceRows) {
  const Partition partition = partition_steps(read_events(row("cpu_op", "aten::add", "0", "10")));
  EXPECT_FALSE(partition.has_device_rows);
  EXPECT_EQ(exposed(partition, Role::cpu_op), 10'000);
}

// Nothing says what the second step has done after its last row.
TEST(Partition, AStepThatTheEndOfACutFileHasReachedDoesNotCount) {
  const std::string rows = row("user_annotation", "ProfilerStep#1", "0", "100") + "," +
                           row("cpu_op", "aten::mm", "10", "80") + "," +
                           row("user_annotation", "ProfilerStep#2", "100", "100") + "," +
                           row("cpu_op", "aten::mm", "110", "20") + ",";
  const Partition whole = partition_steps(read_events(rows + row("cpu_op", "aten::add", "5", "1")));
  EXPECT_EQ(whole.total_ns(), 200'000);
  const Partition cut =
      partition_steps(read_text(R"({"traceEvents": [)" + rows + R"({"ph": "X", "na)"));
  ASSERT_EQ(cut.steps.steps.size(), 1U);
  EXPECT_EQ(cut.steps.unfinished, 1);
  EXPECT_EQ(cut.total_ns(), 100'000);
  EXPECT_EQ(exposed(cut, Role::other), 20'000);
}

TEST(Partition, StepsThatOverlapAreNotCountedTwice) {
  const Partition partition =
      partition_steps(read_events(row("user_annotation", "ProfilerStep#1", "0", "10") + "," +
                                  row("user_annotation", "ProfilerStep#1", "1", "10") + "," +
                                  row("user_annotation", "ProfilerStep#2", "11", "10") + "," +
                                  row("user_annotation", "ProfilerStep#3", "20.5", "9.5")));
  ASSERT_EQ(partition.steps.steps.size(), 3U);
  EXPECT_EQ(partition.total_ns(), 30'000);
  EXPECT_EQ(partition.steps.steps[2].interval, (Interval{21'000, 30'000}));
}

TEST(Partition, RecognisesCommunicationByName) {
  for (const char* const name : {"ncclKernel_AllReduce_RING_LL_Sum_float",
                                 "ncclDevKernel_Generic_1(ncclDevComm*)",
                                 "NCCL_AllGather",
                                 "void rcclGenericKernel<0>(ncclDevComm*)",
                                 "oneccl_allreduce",
                                 "hcclAllReduce",
                                 "void ncclKernel_SendRecv()"}) {
    EXPECT_TRUE(is_communication_kernel(name)) << name;
  }
  for (const char* const name :
       {"hipLaunch", "sm90_xmma_gemm", "void at::native::reduce_kernel<512>"}) {
    EXPECT_FALSE(is_communication_kernel(name)) << name;
  }
}

// Random rows, in random order: the parts sum to each step, no role has more than its rows cover,
// and the order of the file does not matter.
TEST(Partition, SumsToEveryStepWhateverTheRows) {
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"kernel", "gemm"},
      {"kernel", "ncclKernel_x"},
      {"gpu_memcpy", "Memcpy DtoD"},
      {"gpu_memset", "Memset (Device)"},
      {"cuda_runtime", "cudaFree"},
      {"cuda_driver", "cuLaunchKernel"},
      {"cpu_op", "aten::mm"},
      {"user_annotation", "enumerate(DataLoader)#x.__next__"},
      {"user_annotation", "ProfilerStep#1"},
      {"python_function", "train.py(1)"}};
  std::mt19937_64 bits(7);
  for (int round = 0; round < 150; ++round) {
    std::vector<std::string> rows;
    for (std::uint64_t i = 5 + bits() % 40; i > 0; --i) {
      const auto& [cat, name] = kinds[bits() % kinds.size()];
      rows.push_back(row(cat,
                         name,
                         std::to_string(bits() % 500) + "." + std::to_string(bits() % 1000),
                         std::to_string(bits() % 90)));
    }
    const auto joined = [&rows] {
      std::string text;
      for (const std::string& one : rows) {
        text += (text.empty() ? "" : ",") + one;
      }
      return text;
    };
    const Partition partition = partition_steps(read_events(joined()));
    for (std::size_t i = 0; i < partition.parts.size(); ++i) {
      const RoleTimes& parts = partition.parts[i].exposed_ns;
      EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}),
                partition.steps.steps[i].interval.length_ns());
    }
    for (std::size_t role = 0; role < kRolesOfRows; ++role) {
      EXPECT_LE(partition.total.exposed_ns[role], length_ns(partition.covered[role]));
      EXPECT_GE(partition.total.overlapped_ns[role], 0);
    }
    std::shuffle(rows.begin(), rows.end(), bits);
    const Partition shuffled = partition_steps(read_events(joined()));
    EXPECT_EQ(shuffled.total.exposed_ns, partition.total.exposed_ns);
    EXPECT_EQ(shuffled.total.overlapped_ns, partition.total.overlapped_ns);
  }
}

TEST(Partition, PassesOverMarksThatAreOverBeforeDevicesBegin) {
  const std::string marks = row("user_annotation", "ProfilerStep#0", "0", "36") + ",";
  const std::string late = row("kernel", "k", "1000", "100000");
  const Partition outrun = partition_steps(read_events(marks + late));
  EXPECT_TRUE(outrun.steps.are_passed_over);
  EXPECT_FALSE(outrun.steps.are_known);
  EXPECT_EQ(outrun.total_ns(), 101'000'000);
  EXPECT_EQ(outrun.device_tail_ns, 0);
  const Partition kept = partition_steps(
      read_events(marks + row("kernel", "k", "30", "40") + "," + row("kernel", "k", "80", "10")));
  EXPECT_FALSE(kept.steps.are_passed_over);
  EXPECT_EQ(kept.total_ns(), 36'000);
}

}  // namespace
}  // namespace tune::profile
