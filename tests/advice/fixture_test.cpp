#include "advice/fixture.h"

#include "base/error.h"
#include "sample_findings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tune::advice {
namespace {

namespace fs = std::filesystem;

std::string complaint(const std::string& text) {
  try {
    read_fixture(text, "f.json");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string checked(const std::string& text) {
  const rule::Catalog catalog = catalog_of({{"wait", ""}});
  return check_fixture(catalog.rules[0], read_fixture(text, "f.json"));
}

TEST(Fixture, HoldsValuesAndWhatIsExpected) {
  const Fixture fixture = read_fixture(
      R"({"values": {"data_wait_ratio": 0.2, "step_time": 0.5, "num_workers": null,
                     "throttle_reasons": ["sw_thermal"], "pin_memory": true, "amp": "bf16"},
          "expect": {"state": "fired", "severity": "high", "gain": [0.1, 0.25]}})",
      "f.json");
  EXPECT_EQ(fixture.state, rule::State::fired);
  EXPECT_EQ(fixture.facts.value("step_time"),
            expression::Result(expression::Value::of(0.5, {.time = 1})));
  EXPECT_TRUE(std::holds_alternative<expression::Unknown>(fixture.facts.value("num_workers")));
}

TEST(Fixture, IsRefusedWhenItIsNone) {
  EXPECT_EQ(complaint("{"), "f.json: is not JSON");
  EXPECT_EQ(complaint("[]"), "f.json: 'a fixture' must be an object");
  EXPECT_EQ(complaint("{}"), "f.json: 'values' or 'expect' is missing");
  EXPECT_EQ(complaint(R"({"values": {"data_wait": 1}, "expect": {"state": "quiet"}})"),
            "f.json: unknown name 'data_wait' (no metric, knob or machine fact) data_wait_p95?");
  EXPECT_EQ(complaint(R"({"values": {"pin_memory": 1}, "expect": {"state": "quiet"}})"),
            "f.json: 'pin_memory' is number, not true or false");
  EXPECT_EQ(complaint(R"({"values": {"pin_memory": {}}, "expect": {"state": "quiet"}})"),
            "f.json: 'pin_memory' is not a value");
  EXPECT_EQ(complaint(R"({"values": {}, "expect": {"state": "loud"}})"),
            "f.json: 'expect.state' is not known (one of: fired, quiet, not-applicable)");
  EXPECT_EQ(complaint(R"({"values": {}, "expect": {"stat": "quiet"}})"),
            "f.json: unknown key 'stat' (in expect) state?");
  EXPECT_EQ(complaint(R"({"values": {}, "expect": {"state": "quiet", "gain": [1]}})"),
            "f.json: 'expect.gain' must be two numbers (from and to, 0.1 is 10 %)");
}

TEST(Fixture, IsComparedWithWhatTheRuleSays) {
  EXPECT_EQ(checked(R"({"values": {"data_wait_ratio": 0.2},
                        "expect": {"state": "fired", "severity": "high", "gain": [0.1111, 0.25]}})"),
            "");
  EXPECT_EQ(checked(R"({"values": {"data_wait_ratio": 0.01}, "expect": {"state": "fired"}})"),
            "is quiet, not fired: data_wait_ratio 0.01 > 5% ✗");
  EXPECT_EQ(
      checked(R"({"values": {"data_wait_ratio": null}, "expect": {"state": "quiet"}})"),
      "is not-applicable, not quiet: data_wait_ratio unknown > 5% (data_wait_ratio: the fixture "
      "leaves it out)");
  EXPECT_EQ(checked(R"({"values": {"data_wait_ratio": 0.2},
                        "expect": {"state": "fired", "severity": "low"}})"),
            "its severity is high, not low");
  EXPECT_EQ(checked(R"({"values": {"data_wait_ratio": 0.2},
                        "expect": {"state": "fired", "gain": [0.1, 0.2]}})"),
            "its gain is [0.111111, 0.25], not [0.1, 0.2]");
}

TEST(Fixture, OfEachKindMustBeThere) {
  const rule::Catalog catalog = catalog_of({{"wait", ""}});
  const fs::path folder = fs::path(testing::TempDir()) / "tune-fixtures";
  fs::remove_all(folder);
  fs::create_directories(folder / "wait");
  std::ofstream(folder / "wait/fires.json")
      << R"({"values": {"data_wait_ratio": 0.2}, "expect": {"state": "fired"}})";
  FixtureReport report = try_rules({&catalog.rules[0]}, folder);
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_EQ(report.problems[0].file, (folder / "wait/quiet.json").string());
  EXPECT_EQ(report.problems[0].problem, "is missing");
  std::ofstream(folder / "wait/quiet.json")
      << R"({"values": {"data_wait_ratio": 0.2}, "expect": {"state": "fired"}})";
  report = try_rules({&catalog.rules[0]}, folder);
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_EQ(report.problems[0].problem, "expects fired");
  EXPECT_EQ(report.fixtures, 2U);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tune::advice
