#include "measure/campaign/taint.h"

#include "fake_campaign.h"

#include <gtest/gtest.h>

namespace tune::campaign {

namespace {

// Reference value: a hypergeometric sum in Python's fractions (tests/base/stats/counts_test.cpp).
constexpr double kTwelveAgainstOne = 0.0026756987014076973;

SliceCount side(std::int64_t tainted, std::int64_t by_core, bool has_core_probes) {
  return {.clean = 120 - tainted,
          .tainted = tainted,
          .tainted_by_core = by_core,
          .has_core_probes = has_core_probes};
}

TEST(SliceCount, AddsTheSlicesOfAllProcesses) {
  SliceCount process{.clean = 3, .tainted = 2, .tainted_by_core = 1};
  SliceCount sum = process;
  EXPECT_FALSE(sum.has_core_probes);
  process.has_core_probes = true;
  sum += process;
  EXPECT_EQ(sum.all(), 10);
  EXPECT_EQ(sum.tainted_by_core, 2);
  EXPECT_TRUE(sum.has_core_probes);
}

TEST(TaintImbalance, CountsWhatCoreProbesSawWhereBothSidesMadeSome) {
  EXPECT_NEAR(taint_imbalance(side(12, 12, true), side(1, 1, true)), kTwelveAgainstOne, 1e-12);
}

TEST(TaintImbalance, ASideWithoutCoreProbesLosesNoSlicesToWhatItDoesNotSee) {
  EXPECT_EQ(taint_imbalance(side(12, 12, true), side(0, 0, false)), 1);
  EXPECT_EQ(taint_imbalance(side(0, 0, false), side(12, 12, true)), 1);
}

TEST(TaintImbalance, CountsWhatCountersSawInEveryCase) {
  EXPECT_NEAR(taint_imbalance(side(12, 0, true), side(1, 0, false)), kTwelveAgainstOne, 1e-12);
  EXPECT_NEAR(taint_imbalance(side(14, 2, true), side(1, 0, false)), kTwelveAgainstOne, 1e-12);
}

TEST(TaintImbalance, IsNoneWhereASideHasNoSlices) {
  EXPECT_EQ(taint_imbalance({}, side(12, 0, true)), 1);
}

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

TEST(Taint, OthersTakeNothingWhereCpusAreIdleAndNoThreadWaitsForOne) {
  trial::Slice slice = with_other_cpus(20);
  EXPECT_TRUE(taint(slice, 64)) << "nobody knows what is idle";
  slice.disturbance.idle_cpu_ns = 22 * kSecondNs;
  EXPECT_FALSE(taint(slice, 64));
  slice.disturbance.run_delay_ns = 2 * kSecondNs;
  EXPECT_TRUE(taint(slice, 64)) << "threads wait for a CPU";
  slice.disturbance.run_delay_ns = kSecondNs;
  EXPECT_FALSE(taint(slice, 64)) << "2 % of the CPUs";
  slice.disturbance.idle_cpu_ns = 21 * kSecondNs;
  EXPECT_TRUE(taint(slice, 64)) << "less than a third";
  slice = with_other_cpus(0.5);
  slice.disturbance.idle_cpu_ns = kSecondNs;
  EXPECT_TRUE(taint(slice, 2)) << "threads of one core share it";
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

TrialRecord probed(const std::string& cell,
                   const std::string& stage,
                   const std::vector<std::int64_t>& means_ns) {
  TrialRecord record;
  record.spec.cell = cell;
  record.stage = stage;
  record.outcome.reply = make_reply("t", 100, static_cast<std::int64_t>(means_ns.size()));
  for (std::size_t i = 0; i < means_ns.size(); ++i) {
    record.outcome.reply->slices[i].disturbance.core_probe_ns = means_ns[i];
  }
  return record;
}

TEST(CoreReference, IsTheFastestSliceOfTheSameCellAndStage) {
  const std::vector<TrialRecord> trials = {probed("c1", "confirm", {300, 210, 250}),
                                           probed("c1", "confirm", {220, 260}),
                                           probed("c0", "confirm", {150}),
                                           probed("c1", "search", {140})};
  EXPECT_EQ(fastest_core_probe_ns(trials, "c1", "confirm"), 210);
  EXPECT_EQ(fastest_core_probe_ns(trials, "c0", "confirm"), 150);
  EXPECT_EQ(fastest_core_probe_ns(trials, "c2", "confirm"), 0);
}

TEST(CoreReference, ForgetsWhatIsLongAgoForClocksGetLower) {
  std::vector<TrialRecord> trials = {probed("c1", "confirm", {100})};
  for (int i = 0; i < 4; ++i) {
    trials.push_back(probed("c1", "confirm", {200}));
    trials.push_back(probed("c0", "confirm", {50}));
  }
  EXPECT_EQ(fastest_core_probe_ns(trials, "c1", "confirm"), 200);
}

TEST(CoreReference, PassesOverFailuresAndSlicesWithoutProbes) {
  std::vector<TrialRecord> trials = {probed("c1", "gate", {190})};
  trials.push_back(probed("c1", "gate", {0}));
  for (int i = 0; i < 5; ++i) {
    trials.push_back(probed("c1", "gate", {}));
    trials.back().outcome.reply.reset();
  }
  EXPECT_EQ(fastest_core_probe_ns(trials, "c1", "gate"), 190);
}

// A process that had a busy neighbour all the time cannot see that by itself.
TEST(CoreReference, APairKnowsHowFastTheCoresOfItsSideWere) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(1));
  FakeMachine machine;
  std::map<std::string, std::vector<std::int64_t>> told;
  machine.mishap = [&](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    const bool is_confirmed = spec.measure.spare_slices > 0;
    if (is_confirmed) {
      told[spec.cell].push_back(spec.measure.fastest_core_probe_ns);
    } else {
      EXPECT_EQ(spec.measure.fastest_core_probe_ns, 0);
    }
    runner::TrialOutcome outcome{.kind = runner::OutcomeKind::completed, .phase = "done"};
    outcome.reply = make_reply(spec.id, 100, spec.measure.slices);
    for (trial::Slice& slice : outcome.reply->slices) {
      slice.disturbance.core_probe_ns = spec.cell == "baseline" ? 200'000 : 300'000;
    }
    return outcome;
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  EXPECT_EQ(told["baseline"],
            (std::vector<std::int64_t>{0, 200'000, 200'000, 200'000, 200'000, 200'000}));
  EXPECT_EQ(told["c01"],
            (std::vector<std::int64_t>{0, 300'000, 300'000, 300'000, 300'000, 300'000}));
}

}  // namespace

}  // namespace tune::campaign
