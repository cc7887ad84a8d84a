#include "history/kept_series.h"

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

}  // namespace
}  // namespace tune::history
