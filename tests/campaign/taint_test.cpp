#include "campaign/taint.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

trial::Slice slice_of(std::int64_t wall_ns, std::int64_t samples) {
  trial::Slice slice;
  slice.wall_ns = wall_ns;
  slice.samples = samples;
  slice.steps = 1;
  return slice;
}

trial::Slice with_other_cpus(double cpus) {
  trial::Slice slice = slice_of(kSecondNs, 100);
  slice.disturbance.other_cpu_ns = static_cast<std::int64_t>(cpus * 1e9);
  return slice;
}

std::string why(const std::optional<Taint>& taint) {
  return taint ? taint->why : "";
}

TEST(Taint, SilenceOfTheKernelIsNoTaint) {
  EXPECT_FALSE(taint(slice_of(kSecondNs, 100), 2));
}

TEST(Taint, OthersMayUseATenthOfACpuOrTwoPercentOfThemAll) {
  EXPECT_FALSE(taint(with_other_cpus(0.1), 2));
  EXPECT_TRUE(taint(with_other_cpus(0.13), 2));
  EXPECT_FALSE(taint(with_other_cpus(1.2), 64));  // 2 % of 64 CPUs
  EXPECT_TRUE(taint(with_other_cpus(1.5), 64));
  EXPECT_EQ(why(taint(with_other_cpus(0.45), 2)), "other processes used 0.45 CPUs");
}

TEST(Taint, AShortSliceIsNotBlamedForTheTicksOfTheKernelsClock) {
  trial::Slice slice = slice_of(kSecondNs / 5, 20);
  slice.disturbance.other_cpu_ns = 30'000'000;  // three ticks, 0.15 CPUs
  EXPECT_FALSE(taint(slice, 2));
  slice.disturbance.other_cpu_ns = 40'000'000;
  EXPECT_TRUE(taint(slice, 2));
}

TEST(Taint, StolenTimeThrottlingAndTheDiskCountToo) {
  trial::Slice stolen = slice_of(kSecondNs, 100);
  stolen.disturbance.steal_ns = 200'000'000;
  EXPECT_EQ(why(taint(stolen, 2)), "the hypervisor took 0.20 CPUs");
  trial::Slice hot = slice_of(kSecondNs, 100);
  hot.disturbance.throttle_events = 1;
  EXPECT_EQ(why(taint(hot, 2)), "the CPU was throttled for heat");
  trial::Slice waiting = slice_of(kSecondNs, 100);
  waiting.disturbance.pressure_io_ns = 150'000'000;
  EXPECT_TRUE(taint(waiting, 2));
  EXPECT_FALSE(taint(waiting, 2, {.io_ratio = 0.1}));  // its own loader reads files
}

trial::Slice with_core_probes(std::int64_t mean_ns, std::int64_t fastest_ns) {
  trial::Slice slice = slice_of(kSecondNs, 100);
  slice.disturbance.core_probe_ns = mean_ns;
  slice.disturbance.fastest_core_probe_ns = fastest_ns;
  return slice;
}

TEST(Taint, ACoreThatANeighbourUsesIsSlowerThanItsFastestMoment) {
  EXPECT_FALSE(taint(with_core_probes(250'000, 170'000), 2, {.fastest_core_ns = 200'000}));
  EXPECT_EQ(why(taint(with_core_probes(300'000, 170'000), 2, {.fastest_core_ns = 200'000})),
            "its cores gave less: a fixed piece of work took 1.50 times as long");
  EXPECT_FALSE(taint(with_core_probes(300'000, 170'000), 2)) << "nobody knows how fast they can be";
}

trial::TrialReply reply_with(std::vector<trial::Slice> slices) {
  trial::TrialReply reply;
  reply.facts.cpus = {0, 1};
  reply.slices = std::move(slices);
  return reply;
}

TEST(CleanRate, IsASumOverTheSlicesThatCount) {
  trial::Slice slow = slice_of(2 * kSecondNs, 100);
  trial::Slice tainted = with_other_cpus(0.5);
  const CleanRate rate = clean_rate(reply_with({slice_of(kSecondNs, 100), slow, tainted}));
  EXPECT_EQ(rate.slices.clean, 2);
  EXPECT_EQ(rate.slices.tainted, 1);
  EXPECT_DOUBLE_EQ(rate.rate.value_or(0), 200.0 / 3);
  EXPECT_EQ(rate.is_clean, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(rate.reasons.size(), 1U);
}

TEST(CleanRate, TheFastestMomentOfAllSlicesIsTheMeasure) {
  const trial::TrialReply reply = reply_with({with_core_probes(310'000, 290'000),
                                              with_core_probes(180'000, 170'000),
                                              with_core_probes(200'000, 171'000)});
  EXPECT_EQ(clean_rate(reply).is_clean, (std::vector<bool>{false, true, true}));
  const trial::TrialReply always_slow =
      reply_with({with_core_probes(310'000, 290'000), with_core_probes(300'000, 288'000)});
  EXPECT_EQ(clean_rate(always_slow).slices.tainted, 0) << "a slower machine is not a disturbed one";
}

TEST(CleanRate, TellsApartWhatOnlyCoreProbesSaw) {
  trial::Slice both = with_core_probes(310'000, 290'000);
  both.disturbance.other_cpu_ns = both.wall_ns;
  const CleanRate rate = clean_rate(
      reply_with({with_core_probes(310'000, 290'000), both, with_core_probes(180'000, 170'000)}));
  EXPECT_EQ(rate.slices.tainted, 2);
  EXPECT_EQ(rate.slices.tainted_by_core, 1);
  EXPECT_TRUE(rate.slices.has_core_probes);
  EXPECT_FALSE(clean_rate(reply_with({slice_of(kSecondNs, 100)})).slices.has_core_probes);
}

TEST(CleanRate, AProcessMayLoseTwoOfFiveSlicesAndNoMore) {
  const trial::Slice good = slice_of(kSecondNs, 100);
  const trial::Slice bad = with_other_cpus(0.5);
  EXPECT_FALSE(clean_rate(reply_with({good, good, good, bad, bad})).lost_too_many());
  EXPECT_TRUE(clean_rate(reply_with({good, good, bad, bad, bad})).lost_too_many());
  const CleanRate none = clean_rate(reply_with({bad}));
  EXPECT_FALSE(none.rate.has_value());
  EXPECT_FALSE(clean_rate(reply_with({})).lost_too_many());
}

TEST(CleanRate, ALoaderThatReadsFilesWaitsForTheDiskByItself) {
  trial::Slice reading = slice_of(kSecondNs, 100);
  reading.disturbance.pressure_io_ns = 300'000'000;
  trial::Slice blocked = reading;
  blocked.disturbance.pressure_io_ns = 600'000'000;
  const CleanRate rate = clean_rate(reply_with({reading, reading, blocked}));
  EXPECT_EQ(rate.is_clean, (std::vector<bool>{true, true, false}));
}

}  // namespace
}  // namespace tune::campaign
