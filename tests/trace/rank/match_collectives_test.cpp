#include "trace/rank/match_collectives.h"

#include "rank_traces.h"

#include <gtest/gtest.h>

namespace tune::rank {
namespace {

TEST(MatchCollectives, TheShortestIsTheTransferAndTheRestIsWaiting) {
  const auto ranks =
      pair_of(summary_of(0, all_reduce("100", "50") + "," + all_reduce("300", "40")),
              summary_of(1, all_reduce("130", "20") + "," + all_reduce("300", "45")));
  const MatchedCollectives matched = match_collectives(ranks);
  ASSERT_EQ(matched.groups.size(), 1U);
  EXPECT_EQ(matched.groups[0].group, "0, 2 ranks");
  const auto& collectives = matched.groups[0].collectives;
  ASSERT_EQ(collectives.size(), 2U);
  EXPECT_EQ(collectives[0].name, "allreduce");
  EXPECT_EQ(collectives[0].transfer_ns, 20'000);
  EXPECT_EQ(collectives[0].wait_ns, (std::vector<std::int64_t>{30'000, 0}));
  EXPECT_EQ(collectives[0].last, 1U);
  EXPECT_EQ(collectives[1].wait_ns, (std::vector<std::int64_t>{0, 5'000}));
  EXPECT_FALSE(collectives[1].last.has_value());  // both at once
  EXPECT_EQ(matched.no_order_reason, "");
  const auto lateness = lateness_of(ranks, matched);
  EXPECT_EQ(lateness[0].wait_ns, 30'000);
  EXPECT_EQ(lateness[0].times_last, 0);
  EXPECT_EQ(lateness[1].wait_ns, 5'000);
  EXPECT_EQ(lateness[1].times_last, 1);
  EXPECT_EQ(lateness[1].caused_wait_ns, 30'000);
  EXPECT_EQ(find_straggler(lateness, matched), 1U);
  EXPECT_DOUBLE_EQ(*collective_wait_ratio(matched).value, 35.0 / 155.0);
}

TEST(MatchCollectives, SequenceNumbersCountMoreThanTheIndex) {
  const auto ranks = pair_of(
      summary_of(0,
                 all_reduce("100", "50", numbered(7)) + "," + all_reduce("300", "40", numbered(8))),
      summary_of(1, all_reduce("310", "30", numbered(8))));
  const MatchedCollectives matched = match_collectives(ranks);
  ASSERT_EQ(matched.groups[0].collectives.size(), 1U);
  EXPECT_EQ(matched.groups[0].collectives[0].transfer_ns, 30'000);
  EXPECT_EQ(matched.groups[0].collectives[0].wait_ns, (std::vector<std::int64_t>{10'000, 0}));
  EXPECT_EQ(
      matched.groups[0].notes,
      std::vector<std::string>{"1 of 2 collectives are not matched: not every trace has them"});
}

TEST(MatchCollectives, ByIndexEndsWhereRanksDoDifferentThings) {
  const std::string gather = profile::row("kernel",
                                          "ncclDevKernel_AllGather",
                                          "300",
                                          "40",
                                          R"("Collective name": "_allgather_base", )"
                                          R"("Process Group Name": "0", "Group size": 2)");
  const auto ranks =
      pair_of(summary_of(0, all_reduce("100", "50") + "," + gather),
              summary_of(1, all_reduce("100", "50") + "," + all_reduce("300", "40")));
  const MatchedCollectives matched = match_collectives(ranks);
  EXPECT_EQ(matched.groups[0].collectives.size(), 1U);
  EXPECT_EQ(matched.groups[0].notes,
            std::vector<std::string>{"1 of 2 collectives are not matched: from number 2 on the "
                                     "ranks do different ones"});
}

TEST(MatchCollectives, WithoutATimeOfDayNobodyIsLast) {
  const auto ranks = pair_of(summary_of(0, all_reduce("100", "50"), "0"),
                             summary_of(1, all_reduce("130", "20"), "0"));
  const MatchedCollectives matched = match_collectives(ranks);
  EXPECT_EQ(matched.groups[0].collectives[0].transfer_ns, 20'000);  // durations need no clock
  EXPECT_NE(matched.no_order_reason.find("baseTimeNanoseconds"), std::string::npos);
  EXPECT_FALSE(find_straggler(lateness_of(ranks, matched), matched).has_value());
}

TEST(MatchCollectives, OldTracesHoldTimesOfDayThemselves) {
  const auto ranks = pair_of(summary_of(0, all_reduce("1623142623460100", "50"), "0"),
                             summary_of(1, all_reduce("1623142623460130", "20"), "0"));
  const MatchedCollectives matched = match_collectives(ranks);
  EXPECT_EQ(matched.no_order_reason, "");
  EXPECT_EQ(matched.groups[0].collectives[0].last, 1U);
}

TEST(MatchCollectives, TheBaseOfEachTraceCounts) {
  const auto ranks = pair_of(summary_of(0, all_reduce("100", "50"), "1700000000000030000"),
                             summary_of(1, all_reduce("110", "70"), "1700000000000000000"));
  EXPECT_EQ(match_collectives(ranks).groups[0].collectives[0].last, 0U);
}

TEST(MatchCollectives, ClocksThatCannotBeRightTellNoOrder) {
  const auto ranks =
      pair_of(summary_of(0, all_reduce("100", "50")), summary_of(1, all_reduce("900", "20")));
  EXPECT_NE(match_collectives(ranks).no_order_reason.find("done before another begins"),
            std::string::npos);
}

TEST(MatchCollectives, NamesTheRanksThatAreMissing) {
  const auto ranks = pair_of(summary_of(0, all_reduce("100", "50", "", "8")),
                             summary_of(1, all_reduce("130", "20", "", "8")));
  EXPECT_EQ(match_collectives(ranks).groups[0].notes,
            std::vector<std::string>{
                "traces of 2 of its 8 ranks: the others may wait longer, or be later"});
}

TEST(MatchCollectives, KernelsWithoutArgumentsAreOneGroup) {
  const std::string bare =
      profile::row("kernel", "ncclKernel_AllReduce_RING_LL_Sum_float", "1", "9");
  const std::string send = profile::row("kernel", "ncclKernel_SendRecv_RING_SIMPLE", "20", "9");
  const auto ranks = pair_of(summary_of(0, bare + "," + send), summary_of(1, bare));
  const MatchedCollectives matched = match_collectives(ranks);
  ASSERT_EQ(matched.groups.size(), 1U);
  EXPECT_EQ(matched.groups[0].group, kGroupNotRecorded);
  EXPECT_EQ(matched.groups[0].collectives.size(), 1U);
  EXPECT_EQ(matched.point_to_point, 1);
}

TEST(MatchCollectives, WithoutACollectiveSayWhy) {
  const std::string work = profile::row("kernel", "gemm", "1", "9");
  const auto matched = match_collectives(pair_of(summary_of(0, work), summary_of(1, work)));
  EXPECT_EQ(matched.reason, "no trace has a kernel of NCCL, RCCL, oneCCL or HCCL");
  EXPECT_EQ(collective_wait_ratio(matched).reason, matched.reason);
  const std::string send = profile::row("kernel", "ncclKernel_SendRecv_RING_SIMPLE", "20", "9");
  EXPECT_EQ(match_collectives(pair_of(summary_of(0, send), summary_of(1, work))).reason,
            "the traces have sends and receives alone, which are not matched");
}

}  // namespace
}  // namespace tune::rank
