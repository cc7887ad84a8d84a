#include "measure/history/store.h"

#include "sample_entry.h"
#include "scratch_folder.h"

#include <gtest/gtest.h>

#include <thread>

namespace tune::history {
namespace {

using dataset::ScratchFolder;

TEST(Store, GivesBackWhatItWasGiven) {
  const ScratchFolder folder;
  Store store = Store::open_to_write(opening_in(folder.path()));
  EXPECT_TRUE(store.notes().empty());
  Entry entry = sample_entry(1);
  entry.predictions = {sample_prediction("input-bound")};
  entry.measures.push_back({.name = "step_time", .unit = "s", .value = 0.25});
  entry.headline = "quotes ' \" and \xC3\xA9";
  entry.complete = false;
  EXPECT_EQ(store.add({entry}), 1);
  const std::vector<Entry> all = store.entries({});
  ASSERT_EQ(all.size(), 1U);
  const Entry& read = all[0];
  EXPECT_GT(read.id, 0);
  EXPECT_EQ(read.key, entry.key);
  EXPECT_EQ(read.kind, "run");
  EXPECT_EQ(read.scenario, "mlp");
  EXPECT_EQ(read.machine, "2 CPUs Some CPU");
  EXPECT_EQ(read.subject, "ab");
  EXPECT_EQ(read.started_utc, entry.started_utc);
  EXPECT_EQ(read.elapsed_s, 12.5);
  EXPECT_EQ(read.directory, "/runs/1");
  EXPECT_EQ(read.setting, "amp=bf16");
  EXPECT_EQ(read.verdict, "faster");
  EXPECT_EQ(read.headline, entry.headline);
  EXPECT_FALSE(read.complete);
  EXPECT_EQ(read.tune_version, "0.1.0");
  EXPECT_EQ(read.commit, "0123456789ab");
  EXPECT_EQ(read.torch_version, "2.11.0");
  EXPECT_EQ(read.worker_sha256, "cd");
  ASSERT_EQ(read.measures.size(), 3U) << "by name: gain, step_time, throughput";
  EXPECT_EQ(read.measures[1].name, "step_time");
  EXPECT_FALSE(read.measures[1].lower);
  EXPECT_EQ(read.measures[2].value, 100);
  EXPECT_EQ(read.measures[2].lower, 100 * 0.99);
  EXPECT_EQ(read.measures[2].n, 6);
  ASSERT_EQ(read.predictions.size(), 1U);
  EXPECT_EQ(read.predictions[0].run, "/runs/1");
  EXPECT_EQ(read.predictions[0].rule, "input-bound");
  EXPECT_EQ(read.predictions[0].upper, 0.3);
  EXPECT_EQ(read.predictions[0].measured.pairs, 6);
  EXPECT_EQ(read.predictions[0].measured.verdict, advice::MeasuredGain::Verdict::confirmed);
}

TEST(Store, ARunThatIsGoneOnWithKeepsItsNumberAndTakesTheNewNumbers) {
  const ScratchFolder folder;
  Store store = Store::open_to_write(opening_in(folder.path()));
  Entry entry = sample_entry(1);
  entry.predictions = {sample_prediction("input-bound")};
  store.add({entry});
  const std::int64_t id = store.entries({}).front().id;
  entry.measures = {sample_measure("throughput", 120)};
  entry.predictions.clear();
  EXPECT_EQ(store.add({entry, sample_entry(2)}), 1);
  const std::vector<Entry> same = store.entries({.id = id});
  ASSERT_EQ(same.size(), 1U);
  ASSERT_EQ(same[0].measures.size(), 1U);
  EXPECT_EQ(same[0].measures[0].value, 120);
  EXPECT_TRUE(same[0].predictions.empty());
}

TEST(Store, ListsTheNewestFirstAndFilters) {
  const ScratchFolder folder;
  Store store = Store::open_to_write(opening_in(folder.path()));
  Entry other = sample_entry(7);
  other.scenario = "resnet18";
  other.key = entry_key(other) + "x";
  store.add({sample_entry(2), sample_entry(1), sample_entry(3), other});
  EXPECT_EQ(store.scenarios(), (std::vector<std::string>{"mlp", "resnet18"}));
  const std::vector<Entry> newest = store.entries({.limit = 2});
  ASSERT_EQ(newest.size(), 2U);
  EXPECT_EQ(newest[0].scenario, "resnet18");
  EXPECT_EQ(newest[1].started_utc, sample_start(3));
  EXPECT_EQ(store.entries({.scenario = "mlp"}).size(), 3U);
  EXPECT_TRUE(store.entries({.scenario = "' OR 1=1 --"}).empty());
}

TEST(Store, PutsOnlyWhatComparesIntoOneSeries) {
  const ScratchFolder folder;
  Store store = Store::open_to_write(opening_in(folder.path()));
  Entry elsewhere = sample_entry(1);
  elsewhere.machine = "8 CPUs Other CPU";
  elsewhere.key += "a";
  Entry edited = sample_entry(2);
  edited.subject = "cd";
  edited.key += "b";
  Entry failed = sample_entry(9);
  failed.measures.clear();
  store.add({sample_entry(5, 105), sample_entry(4, 104), elsewhere, edited, failed});
  const std::vector<Series> all = store.series({});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].subject, "ab") << "of one scenario and machine the newest first";
  EXPECT_EQ(all[0].runs, 3);
  EXPECT_EQ(all[0].last_started, sample_start(9));
  EXPECT_EQ(all[0].unit, "samples/s");
  ASSERT_EQ(all[0].points.size(), 2U) << "oldest first, and none without the metric";
  EXPECT_EQ(all[0].points[0].value, 104);
  EXPECT_EQ(all[0].points[1].value, 105);
  EXPECT_EQ(all[0].points[1].torch_version, "2.11.0");
  EXPECT_EQ(all[1].subject, "cd");
  EXPECT_EQ(all[2].machine, "8 CPUs Other CPU");
  EXPECT_EQ(store.series({.machine = "8 CPUs Other CPU"}).size(), 1U);
  const std::vector<Series> gains = store.series({.metric = "gain", .subject = "cd"});
  ASSERT_EQ(gains.size(), 1U);
  EXPECT_EQ(gains[0].points.at(0).value, 0.2);
}

TEST(Store, ASeriesHasItsNewestPoints) {
  const ScratchFolder folder;
  fill_store(folder.path(), 320);
  const auto store = Store::open_to_read(opening_in(folder.path()));
  ASSERT_TRUE(store);
  const std::vector<Series> all = store->series({});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].runs, 320);
  ASSERT_EQ(all[0].points.size(), kMostPoints);
  EXPECT_EQ(all[0].points.front().started_utc, sample_start(20));
  EXPECT_EQ(all[0].points.back().started_utc, sample_start(319));
}

TEST(Store, ForgetsARunWithAllThatHangsOnItAndGivesItsNumberToNobody) {
  const ScratchFolder folder;
  Store store = Store::open_to_write(opening_in(folder.path()));
  Entry entry = sample_entry(1);
  entry.predictions = {sample_prediction("input-bound")};
  store.add({entry});
  const std::int64_t id = store.entries({}).front().id;
  EXPECT_EQ(store.remove({id, id, 4711}), 1);
  EXPECT_TRUE(store.entries({}).empty());
  EXPECT_TRUE(store.predictions("").empty());
  EXPECT_TRUE(store.series({}).empty());
  store.add({sample_entry(2)});
  EXPECT_GT(store.entries({}).front().id, id);
  EXPECT_GE(store.compact(), 0);
}

TEST(Store, GivesRoomBack) {
  const ScratchFolder folder;
  Store store = Store::open_to_write(opening_in(folder.path()));
  std::vector<Entry> entries;
  for (int i = 0; i < 300; ++i) {
    entries.push_back(sample_entry(i));
    entries.back().headline.assign(1'000, 'x');
  }
  store.add(entries);
  std::vector<std::int64_t> ids;
  for (const Entry& entry : store.entries({})) {
    ids.push_back(entry.id);
  }
  EXPECT_EQ(store.remove(ids), 300);
  EXPECT_GT(store.compact(), 200'000);
}

TEST(Store, PredictionsAreThoseOfTheScenarioOldestFirst) {
  const ScratchFolder folder;
  Store store = Store::open_to_write(opening_in(folder.path()));
  Entry second = sample_entry(2), first = sample_entry(1), other = sample_entry(3);
  second.predictions = {sample_prediction("b")};
  first.predictions = {sample_prediction("a")};
  other.predictions = {sample_prediction("c")};
  other.scenario = "resnet18";
  store.add({second, first, other});
  const auto all = store.predictions("");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].rule + all[1].rule + all[2].rule, "abc");
  EXPECT_EQ(store.predictions("resnet18").size(), 1U);
}

TEST(Store, TwoThatWriteAtOnceLoseNothing) {
  const ScratchFolder folder;
  constexpr int kEach = 12;
  const auto write = [&](int first) {
    for (int i = first; i < first + kEach; ++i) {
      Store::open_to_write(opening_in(folder.path())).add({sample_entry(i)});
    }
  };
  std::thread other(write, 0);  // neither finds a store when it begins
  write(kEach);
  other.join();
  const auto store = Store::open_to_read(opening_in(folder.path()));
  ASSERT_TRUE(store);
  EXPECT_EQ(store->entries({}).size(), 2U * kEach);
}

TEST(Store, OneThatReadsSeesTheOldOrTheNewWhileAnotherWrites) {
  const ScratchFolder folder;
  fill_store(folder.path(), 10);
  std::vector<Entry> more;
  for (int i = 10; i < 60; ++i) {
    more.push_back(sample_entry(i));
  }
  std::thread writer([&] { Store::open_to_write(opening_in(folder.path())).add(more); });
  for (int i = 0; i < 20; ++i) {
    const auto store = Store::open_to_read(opening_in(folder.path()));
    ASSERT_TRUE(store);
    const std::size_t seen = store->entries({}).size();
    EXPECT_TRUE(seen == 10 || seen == 60) << seen;
  }
  writer.join();
}

}  // namespace
}  // namespace tune::history
