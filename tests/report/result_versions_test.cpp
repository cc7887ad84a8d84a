// What older versions wrote stays readable: tests/recorded/README.md.

#include "base/file.h"
#include "format_check.h"
#include "report/format/all_formats.h"
#include "report/gate_json.h"
#include "report/result_json.h"
#include "sample_advice.h"
#include "sample_gate.h"
#include "sample_result.h"
#include "schema_complaint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

namespace tune::report {
namespace {

using nlohmann::json;

std::vector<std::filesystem::path> old_results() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(STORED_RESULTS)) {
    if (entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// "/cells/*/gain/value": every member that there is. Knobs are data, not members.
void add_places(const json& value, const std::string& place, std::set<std::string>& places) {
  if (value.is_array()) {
    for (const json& item : value) {
      add_places(item, place + "/*", places);
    }
  }
  if (!value.is_object()) {
    return;
  }
  for (const auto& [name, member] : value.items()) {
    const std::string inner = place + "/" + name;
    places.insert(inner);
    if (name != "knobs" && name != "changed") {
      add_places(member, inner, places);
    }
  }
}

std::set<std::string> places_of(const json& document) {
  std::set<std::string> places;
  add_places(document, "", places);
  return places;
}

TEST(ResultVersions, ThereAreSomeOfRunsAndOfGates) {
  std::set<std::string> kinds;
  for (const auto& file : old_results()) {
    kinds.insert(json::parse(read_file(file))["kind"].get<std::string>());
  }
  EXPECT_GE(old_results().size(), 4U);
  EXPECT_EQ(kinds, (std::set<std::string>{"gate", "run"}));
}

TEST(ResultVersions, EveryOlderResultFitsTheSchemaOfToday) {
  for (const auto& file : old_results()) {
    EXPECT_EQ(complaint(json::parse(read_file(file))), "") << file;
  }
}

TEST(ResultVersions, NoMemberWasLostSince) {
  const auto run = places_of(json::parse(to_result_json(diagnosed_result())));
  const auto gate =
      places_of(json::parse(to_gate_json(sample_gate(stats::GateVerdict::regressed))));
  for (const auto& file : old_results()) {
    const json document = json::parse(read_file(file));
    const auto& today = document["kind"] == "gate" ? gate : run;
    for (const std::string& place : places_of(document)) {
      EXPECT_TRUE(today.contains(place)) << file << ": " << place;
    }
  }
}

TEST(ResultVersions, EveryOlderResultRendersInEveryFormat) {
  for (const auto& file : old_results()) {
    const result::Result result = result::read_result(read_file(file), file.string());
    for (const OutsideFormat& format : all_formats()) {
      const std::string text = format.render(result, {});
      EXPECT_EQ(format_complaint(format.name, text), "") << file << " as " << format.name;
      const bool says_something = text.find("resnet18") != std::string::npos;
      const bool has_nothing_to_say = format.name == "github-annotations" ||
                                      format.name == "smaller-is-better" ||
                                      (format.name == "bigger-is-better" && result.gate);
      EXPECT_TRUE(says_something || has_nothing_to_say) << file << " as " << format.name;
    }
  }
}

TEST(ResultVersions, AnOldRunHasItsThroughputsAlsoWhereItsTrialsAreNotToldApart) {
  const auto file = std::filesystem::path(STORED_RESULTS) / "run-1.json";
  const json document =
      json::parse(to_google_benchmark(result::read_result(read_file(file), "run-1"), {}));
  ASSERT_EQ(document["benchmarks"].size(), 22U) << "24 cells, two of them failed";
  for (const json& benchmark : document["benchmarks"]) {
    EXPECT_EQ(benchmark["run_type"], "aggregate");
    EXPECT_EQ(benchmark["aggregate_name"], "median");
  }
}

}  // namespace
}  // namespace tune::report
