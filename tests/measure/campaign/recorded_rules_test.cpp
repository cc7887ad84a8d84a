// What rules have to say of what was recorded: replies of trials and traces, from file to finding.
// Each file of tests/rules/recordings names a recording and what comes of it.

#include "base/error.h"
#include "recorded_diagnosis.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

namespace tune::campaign {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path expectations() {
  return fs::path(SOURCE_DIR) / "tests/rules/recordings";
}

std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> words(const json& expected, const char* key) {
  return expected.contains(key) ? expected.at(key).get<std::vector<std::string>>()
                                : std::vector<std::string>();
}

fs::path folder_of_run(const std::string& name) {
  const fs::path unpacked = fs::path(UNPACKED_RECORDINGS) / name;
  return fs::exists(unpacked) ? unpacked : fs::path(SOURCE_DIR) / "tests/recorded" / name;
}

advice::Diagnosis diagnose_recording(const json& expected) {
  if (expected.contains("run")) {
    auto found = diagnose_recorded_run(folder_of_run(expected.at("run")));
    return found ? std::move(*found) : advice::Diagnosis();
  }
  std::vector<fs::path> traces;
  for (const std::string& name : words(expected, "traces")) {
    traces.push_back(expectations() / "traces" / name);
  }
  return diagnose_recorded_traces(traces);
}

const advice::Finding* finding_of_rule(const advice::Diagnosis& diagnosis, const std::string& id) {
  const rule::Rule* const rule = shipped_catalog()->find(id);
  return rule == nullptr ? nullptr : advice::finding_of(diagnosis, rule);
}

void expect_state(const advice::Diagnosis& diagnosis, const std::string& id, rule::State state) {
  const advice::Finding* const finding = finding_of_rule(diagnosis, id);
  ASSERT_NE(finding, nullptr) << id;
  EXPECT_EQ(finding->state, state) << id << ": " << finding->text << " " << finding->reason;
}

TEST(RecordedRules, SayWhatTheRecordingsAreOf) {
  std::set<std::string> fired, first, told;
  for (const fs::path& file : files_in(expectations(), ".json")) {
    SCOPED_TRACE(file.filename().string());
    const json expected = json::parse(read_file(file));
    for (const auto& [key, value] : expected.items()) {
      static const std::set<std::string> kKeys = {
          "run", "traces", "fires", "quiet", "unknown", "first"};
      EXPECT_TRUE(kKeys.contains(key)) << key;
    }
    const advice::Diagnosis diagnosis = diagnose_recording(expected);
    for (const std::string& id : words(expected, "fires")) {
      expect_state(diagnosis, id, rule::State::fired);
      fired.insert(id);
    }
    for (const std::string& id : words(expected, "quiet")) {
      expect_state(diagnosis, id, rule::State::quiet);
    }
    for (const std::string& id : words(expected, "unknown")) {
      expect_state(diagnosis, id, rule::State::not_applicable);
    }
    if (expected.contains("first")) {
      const bool has_any = !diagnosis.recommendations.empty();
      EXPECT_EQ(has_any ? diagnosis.recommendations.front().rule->id : "none",
                expected.at("first").get<std::string>());
      first.insert(expected.at("first").get<std::string>());
    }
    for (const std::string& trace : words(expected, "traces")) {
      told.insert(trace);
    }
  }
  EXPECT_GE(fired.size(), 20U);
  // What only a GPU has, and no GPU is needed to prove.
  for (const char* const rule : {"scalar-sync", "pageable-transfers", "launch-bound"}) {
    EXPECT_TRUE(first.contains(rule)) << rule;
  }
  for (const fs::path& trace : files_in(expectations() / "traces", ".gz")) {
    EXPECT_TRUE(told.contains(trace.filename().string())) << trace << ": nothing expects anything";
  }
  std::cout << fired.size() << " rules fire on a recording\n";
}

}  // namespace
}  // namespace tune::campaign
