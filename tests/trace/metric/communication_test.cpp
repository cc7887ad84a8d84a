#include "trace/metric/communication.h"

#include "found.h"
#include "trace_text.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

using profile::read_events;
using profile::row;

std::string step() {
  return row("user_annotation", "ProfilerStep#1", "0", "1000") + ",";
}

std::string collective(const std::string& name,
                       const std::string& dtype,
                       int elements_in,
                       int elements_out,
                       int ranks) {
  return R"("Collective name": ")" + name + R"(", "dtype": ")" + dtype + R"(", "In msg nelems": )" +
         std::to_string(elements_in) + R"(, "Out msg nelems": )" + std::to_string(elements_out) +
         R"(, "Group size": )" + std::to_string(ranks);
}

// 300 us of all-reduce, 100 of them hidden; 50 us of all-gather.
std::string two_collectives() {
  return step() + row("kernel", "compute", "0", "400") + "," +
         row("kernel",
             "ncclDevKernel_AllReduce_Sum_f32",
             "300",
             "300",
             collective("allreduce", "Float", 1'000'000, 1'000'000, 4)) +
         "," +
         row("kernel",
             "ncclDevKernel_AllGather",
             "700",
             "50",
             collective("_allgather_base", "Half", 100, 400, 4));
}

// An all-reduce that an operator of the host launched, in a range.
std::string all_reduce_within(const std::string& range) {
  return step() + row("user_annotation", range, "0", "100") + "," +
         row("cpu_op", "aten::mm", "0", "20") + "," +
         row("cpu_op", "c10d::allreduce_", "30", "50") + "," +
         row("cuda_runtime", "cudaLaunchKernel", "40", "10", R"("correlation": 1)") + "," +
         row("kernel",
             "ncclDevKernel_AllReduce_Sum_f32",
             "60",
             "100",
             R"("correlation": 1, )" + collective("allreduce", "Float", 1000, 1000, 4));
}

TEST(GradientReduction, IsNoSumOfActivations) {
  for (const auto& [range, ratio] : {std::pair("forward", 0.0),
                                     std::pair("_ReduceFromModelParallelRegion", 0.0),
                                     std::pair("backward", 1.0)}) {
    const profile::Timeline timeline = read_events(all_reduce_within(range));
    EXPECT_DOUBLE_EQ(value(communication_times(examine(timeline)), "gradient_reduction_ratio"),
                     ratio)
        << range;
  }
}

TEST(Communication, IsThatOfServersAsWell) {
  for (const char* const kernel : {"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(int)",
                                   "multimem_all_reduce_kernel<c10::BFloat16>",
                                   "hcom_allReduce__123_0_1"}) {
    const profile::Timeline timeline = read_events(step() + row("kernel", kernel, "0", "100"));
    EXPECT_DOUBLE_EQ(value(communication_times(examine(timeline)), "communication_time"), 1e-4)
        << kernel;
  }
}

TEST(Communication, IsExposedWhereNothingIsComputed) {
  const profile::Timeline timeline = read_events(two_collectives());
  const auto metrics = communication_times(examine(timeline));
  EXPECT_NEAR(value(metrics, "communication_time"), 350e-6, 1e-12);
  EXPECT_DOUBLE_EQ(value(metrics, "communication_exposed_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(value(metrics, "communication_overlap_ratio"), 100.0 / 350);
}

TEST(Messages, HaveSizesAndABandwidthOfTheBus) {
  const profile::Timeline timeline = read_events(two_collectives());
  const auto metrics = message_metrics(examine(timeline));
  EXPECT_DOUBLE_EQ(value(metrics, "message_count"), 2);
  EXPECT_DOUBLE_EQ(value(metrics, "message_bytes_median"), (4e6 + 800) / 2);
  EXPECT_DOUBLE_EQ(value(metrics, "small_message_ratio"), 50.0 / 350);
  EXPECT_NEAR(value(metrics, "bus_bandwidth"), 4e6 * 1.5 / 300e-6, 1);
}

TEST(Messages, OfAnAllGatherCountWhatComesOut) {
  const profile::Timeline timeline =
      read_events(step() + row("kernel",
                               "ncclDevKernel_AllGather",
                               "0",
                               "100",
                               collective("all_gather", "BFloat16", 250'000, 1'000'000, 4)));
  const auto metrics = message_metrics(examine(timeline));
  EXPECT_DOUBLE_EQ(value(metrics, "message_bytes_median"), 2e6);
  EXPECT_NEAR(value(metrics, "bus_bandwidth"), 2e6 * 0.75 / 100e-6, 1);
}

TEST(Messages, AreSmallForAsLongAsSmallOnesTake) {
  const profile::Timeline timeline =
      read_events(step() + row("kernel",
                               "ncclDevKernel_AllReduce_Sum_f32",
                               "0",
                               "800",  // waits for a late rank
                               collective("allreduce", "Float", 100, 100, 4)));
  EXPECT_DOUBLE_EQ(value(message_metrics(examine(timeline)), "small_message_ratio"), 0.25);
}

// All-reduces, one after another: elements and us of each.
std::vector<Metric> all_reduces(const std::vector<std::pair<int, int>>& messages) {
  std::string rows = row("user_annotation", "ProfilerStep#1", "0", "10000");
  int at = 0;
  for (const auto& [elements, us] : messages) {
    rows += "," + row("kernel",
                      "ncclDevKernel_AllReduce_Sum_f32",
                      std::to_string(at),
                      std::to_string(us),
                      collective("allreduce", "Float", elements, elements, 4));
    at += us;
  }
  return message_metrics(examine(read_events(rows)));
}

TEST(Messages, WaitWhereTheyTakeFarLongerThanTheirSizeNeeds) {
  EXPECT_DOUBLE_EQ(
      value(all_reduces({{500'000, 10}, {500'000, 5'010}, {1'000'000, 20}, {500'000, 10}}),
            "collective_wait_ratio"),
      0.5);
  EXPECT_DOUBLE_EQ(
      value(all_reduces({{500'000, 10}, {500'000, 12}, {4'000'000, 80}, {500'000, 10}}),
            "collective_wait_ratio"),
      0)
      << "larger ones take longer";
  EXPECT_NE(reason(all_reduces({{500'000, 10}, {500'000, 10}, {500'000, 5'000}}),
                   "collective_wait_ratio"),
            "")
      << "three say little";
}

TEST(Messages, WithoutSizesAreNotApplicable) {
  const profile::Timeline timeline =
      read_events(step() + row("kernel", "ncclKernel_AllReduce", "0", "100"));
  const auto metrics = message_metrics(examine(timeline));
  EXPECT_NE(reason(metrics, "message_bytes_median"), "");
  EXPECT_NE(reason(metrics, "bus_bandwidth"), "");
}

TEST(Messages, WithoutAGroupHaveNoBandwidth) {
  const profile::Timeline timeline = read_events(
      step() +
      row("kernel",
          "ncclKernel_AllReduce",
          "0",
          "100",
          R"("Collective name": "allreduce", "dtype": "Float", "In msg nelems": 1000000)"));
  const auto metrics = message_metrics(examine(timeline));
  EXPECT_DOUBLE_EQ(value(metrics, "message_bytes_median"), 4e6);
  EXPECT_NE(reason(metrics, "bus_bandwidth"), "");
}

TEST(Communication, WithoutACollectiveIsNotApplicable) {
  const profile::Timeline timeline = read_events(step() + row("kernel", "k", "0", "100"));
  EXPECT_NE(reason(communication_times(examine(timeline)), "communication_overlap_ratio"), "");
}

}  // namespace
}  // namespace tune::metric
