#include "measure/history/series.h"

#include "sample_entry.h"
#include "scratch_folder.h"

#include <gtest/gtest.h>

namespace tune::history {

namespace {

using dataset::complaint_of;
using dataset::ScratchFolder;

Series sample() {
  Series series;
  series.scenario = "mlp";
  series.machine = "2 CPUs Some CPU";
  series.subject = "ab";
  series.metric = "throughput";
  series.unit = "samples/s";
  series.runs = 2;
  series.last_started = "2026-01-02T00:00:00Z";
  series.points = {{.id = 3,
                    .kind = "gate",
                    .started_utc = "2026-01-01T00:00:00Z",
                    .value = 99.5,
                    .commit = "c",
                    .torch_version = "2.11.0",
                    .worker_sha256 = "w"},
                   {.kind = "run", .started_utc = "2026-01-02T00:00:00Z", .value = 101}};
  series.gates = {{.id = 3,
                   .started_utc = "2026-01-01T00:00:00Z",
                   .verdict = "INCONCLUSIVE",
                   .reason = "ENV_SHIFT: the machine changed",
                   .candidate = "HEAD",
                   .changes = {{"throughput", -0.02}}}};
  return series;
}

TEST(KeptSeries, SurvivesTheWayThroughTheFile) {
  const Series read = parse_series(to_json(sample()), "history.json");
  EXPECT_EQ(to_json(read), to_json(sample()));
  EXPECT_EQ(read.points.at(0).kind, "gate");
  EXPECT_EQ(read.points.at(1).value, 101);
  EXPECT_EQ(read.gates.at(0).reason, "ENV_SHIFT: the machine changed");
  EXPECT_EQ(read.gates.at(0).changes.at(0).ratio, -0.02);
}

TEST(KeptSeries, OfBeforeItKeptGatesHasNone) {
  std::string text = to_json(sample());
  text.replace(text.find("\"gates\""), 7, "\"gatez\"");
  EXPECT_TRUE(parse_series(text, "history.json").gates.empty());
}

TEST(KeptSeries, CostsTheDrawingOnlyWhereItIsDamaged) {
  const ScratchFolder folder;
  std::string problem;
  EXPECT_FALSE(load_kept_series(folder.path(), problem));
  EXPECT_EQ(problem, "") << "a run without earlier ones";
  folder.write("history.json", to_json(sample()));
  EXPECT_TRUE(load_kept_series(folder.path(), problem));
  folder.write("history.json", "{\"schema\": \"tune-series/9\"}");
  EXPECT_FALSE(load_kept_series(folder.path(), problem));
  EXPECT_EQ(problem,
            (folder.path() / "history.json").string() +
                ": is of schema 'tune-series/9' (this version of tune reads tune-series/1)");
  EXPECT_EQ(complaint_of([] { parse_series("{}", "history.json"); }),
            "history.json: schema is missing");
}

Entry gate(int number, const std::string& verdict, const std::string& why) {
  Entry entry = sample_entry(number);
  entry.kind = "gate";
  entry.id = number;
  entry.verdict = verdict;
  entry.headline = why.empty() ? verdict : verdict + ": " + why;
  entry.setting = "HEAD";
  entry.measures = {sample_measure("throughput", 100),
                    sample_measure("delta_throughput", -0.18, "ratio")};
  return entry;
}

TEST(PastGates, AreThoseOfTheScenarioAndTheMachineBeforeItNewestFirst) {
  Entry own = sample_entry(50);
  Entry other = gate(3, "PASS", ""), elsewhere = gate(4, "PASS", "");
  other.scenario = "resnet18";
  elsewhere.machine = "64 CPUs";
  const std::vector<PastGate> gates =
      gates_before(own,
                   {gate(1, "PASS", "certainly fine"),
                    sample_entry(2),
                    other,
                    elsewhere,
                    gate(7, "INCONCLUSIVE", "ENV_SHIFT: it differed"),
                    gate(50, "PASS", ""),
                    gate(51, "PASS", "")});
  ASSERT_EQ(gates.size(), 2U);
  EXPECT_EQ(gates[0].id, 7);
  EXPECT_EQ(gates[0].verdict, "INCONCLUSIVE");
  EXPECT_EQ(gates[0].reason, "ENV_SHIFT: it differed");
  EXPECT_EQ(gates[0].candidate, "HEAD");
  ASSERT_EQ(gates[0].changes.size(), 1U);
  EXPECT_EQ(gates[0].changes[0].metric, "throughput");
  EXPECT_EQ(gates[0].changes[0].ratio, -0.18);
  EXPECT_EQ(gates[1].id, 1);
}

TEST(PastGates, AreFew) {
  std::vector<Entry> entries;
  for (int i = 0; i < 40; ++i) {
    entries.push_back(gate(i, "PASS", ""));
  }
  const auto gates = gates_before(sample_entry(100), entries);
  ASSERT_EQ(gates.size(), kMostGates);
  EXPECT_EQ(gates.front().id, 39);
}

}  // namespace

}  // namespace tune::history
