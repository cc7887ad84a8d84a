#include "measure/campaign/steadiness.h"

#include <gtest/gtest.h>

#include <functional>

namespace tune::campaign {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

// Slices of 1 s, 10 steps and 100 samples that nothing speaks against.
trial::TrialReply reply_of(int slices, const std::function<void(trial::Slice&, int)>& change) {
  trial::TrialReply reply;
  reply.facts.cpus = {0, 1};
  for (int i = 0; i < slices; ++i) {
    trial::Slice slice;
    slice.steps = 10;
    slice.samples = 100;
    slice.wall_ns = 1'000'000'000;
    slice.stock_before = slice.stock_after = 64;
    slice.disturbance.minor_faults = 50'000;
    slice.disturbance.resident_bytes = 1'000 * kMiB;
    slice.disturbance.mean_mhz = 3'000;
    slice.disturbance.throttle_events = 0;
    change(slice, i);
    reply.slices.push_back(slice);
  }
  return reply;
}

std::vector<Veto> vetoes_of(const trial::TrialReply& reply) {
  return steady_vetoes(reply, clean_rate(reply));
}

std::vector<Veto> vetoes_of(int slices, const std::function<void(trial::Slice&, int)>& change) {
  return vetoes_of(reply_of(slices, change));
}

std::string only_name(const std::vector<Veto>& vetoes) {
  return vetoes.size() == 1 ? vetoes[0].name : std::to_string(vetoes.size()) + " vetoes";
}

TEST(SteadyVetoes, WhatStandsStillHasNone) {
  EXPECT_TRUE(vetoes_of(5, [](trial::Slice&, int) {}).empty());
  EXPECT_TRUE(vetoes_of(trial::TrialReply()).empty());
}

TEST(SteadyVetoes, WhatTheKernelDoesNotTellIsNone) {
  EXPECT_TRUE(vetoes_of(5, [](trial::Slice& slice, int i) {
                slice.disturbance = {};
                if (i == 0) {
                  slice.disturbance.mean_mhz = 9'000;  // and no other slice says
                  slice.disturbance.resident_bytes = kMiB;
                }
              }).empty());
}

TEST(SteadyVetoes, MemoryMustRiseInEverySliceAndByMoreThanAFewBuffers) {
  const auto grow = [](std::int64_t by) {
    return [by](trial::Slice& slice, int i) { *slice.disturbance.resident_bytes += i * by; };
  };
  const auto found = vetoes_of(5, grow(10 * kMiB));
  EXPECT_EQ(only_name(found), "memory-growth");
  EXPECT_EQ(found[0].why, "the resident memory still grew, by 40 MiB (3.9 %) over the 5 slices");
  EXPECT_TRUE(vetoes_of(5, grow(4 * kMiB)).empty()) << "1.6 %";
  EXPECT_TRUE(vetoes_of(5, grow(-10 * kMiB)).empty()) << "memory that is given back";
  EXPECT_TRUE(vetoes_of(4, grow(10 * kMiB)).empty()) << "by chance in one of 24";
  EXPECT_TRUE(vetoes_of(5, [&](trial::Slice& slice, int i) {
                *slice.disturbance.resident_bytes += (i == 3 ? -1 : i) * 10 * kMiB;
              }).empty());
  EXPECT_TRUE(vetoes_of(5,
                        [&](trial::Slice& slice, int i) {
                          slice.disturbance.resident_bytes = (100 + 3 * i) * kMiB;
                        })
                  .empty())
      << "12 of 100 MiB: less than what 100,000 kept times and an allocator need";
}

TEST(SteadyVetoes, FaultsOfAStepMustTakeTimeThatMatters) {
  const auto fade = [](std::int64_t by) {
    return [by](trial::Slice& slice, int i) { slice.disturbance.minor_faults += (5 - i) * by; };
  };
  const auto found = vetoes_of(5, fade(10'000));  // a step of 100 ms: 4,000 faults, 4 ms less
  EXPECT_EQ(only_name(found), "page-faults");
  EXPECT_EQ(found[0].why,
            "the page faults of a step fell by 50.0 % over the 5 slices, 10000 in the first and "
            "6000 in the last");
  EXPECT_TRUE(vetoes_of(5, fade(2'000)).empty()) << "0.8 ms of 100";
  EXPECT_EQ(only_name(vetoes_of(5, fade(-10'000))), "page-faults") << "more and more";
  EXPECT_TRUE(vetoes_of(5,
                        [](trial::Slice& slice, int i) {
                          slice.disturbance.minor_faults += i % 2 == 0 ? 50'000 : 0;
                        })
                  .empty())
      << "up and down is no trend";
}

TEST(SteadyVetoes, TheClockMayMoveByOnePercent) {
  const auto slope = [](double by) {
    return [by](trial::Slice& slice, int i) { *slice.disturbance.mean_mhz += i * by; };
  };
  const auto found = vetoes_of(5, slope(-15));
  EXPECT_EQ(only_name(found), "clock");
  EXPECT_EQ(found[0].why, "the CPU clock fell by 2.0 % over the 5 slices, from 3000 to 2940 MHz");
  EXPECT_EQ(only_name(vetoes_of(5, slope(15))), "clock");
  EXPECT_TRUE(vetoes_of(5, slope(-7)).empty()) << "0.9 %";
}

TEST(SteadyVetoes, HeatInOneSliceIsEnough) {
  const auto found = vetoes_of(
      5, [](trial::Slice& slice, int i) { slice.disturbance.throttle_events = i == 2 ? 3 : 0; });
  EXPECT_EQ(only_name(found), "throttled");
  EXPECT_EQ(found[0].why, "heat slowed the CPU down in 1 of 5 slices");
}

TEST(SteadyVetoes, AStockThatIsUsedUpFlattersTheLoader) {
  const auto draw = [](std::int64_t by) {
    return [by](trial::Slice& slice, int i) {
      slice.stock_before = 64 - i * by;
      slice.stock_after = slice.stock_before - by;
    };
  };
  const auto found = vetoes_of(5, draw(12));
  EXPECT_EQ(only_name(found), "loader-stock");
  EXPECT_EQ(found[0].why,
            "the loader's stock was still draining: 12.0 % of the samples came out of it");
  EXPECT_NE(vetoes_of(5, draw(-12))[0].why.find("filling"), std::string::npos);
  EXPECT_TRUE(vetoes_of(5, draw(1)).empty()) << "1 % of the samples";
  EXPECT_TRUE(vetoes_of(5,
                        [](trial::Slice& slice, int i) {
                          slice.stock_after = slice.stock_before + (i % 2 == 0 ? 8 : -8);
                        })
                  .size() == 1)
      << "three of five slices: 8 of 500 samples";
}

TEST(SteadyVetoes, OnlyTheSlicesThatCountDrawOnTheStock) {
  const auto found = vetoes_of(5, [](trial::Slice& slice, int i) {
    slice.stock_before = i == 0 ? 64 : 14;
    slice.stock_after = 14;
    slice.disturbance.other_cpu_ns = i == 0 ? slice.wall_ns : 0;  // left out for the others' sake
  });
  EXPECT_TRUE(found.empty());
}

TEST(SteadyVetoes, TheWorkersOwnWordOnTheStockCounts) {
  trial::TrialReply reply = reply_of(3, [](trial::Slice&, int) {});
  reply.stock_matched = false;
  EXPECT_EQ(only_name(vetoes_of(reply)), "loader-stock");
}

}  // namespace
}  // namespace tune::campaign
