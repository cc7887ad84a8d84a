#include "csv_check.h"
#include "report/format/formats.h"
#include "stored_samples.h"

#include <gtest/gtest.h>

#include <map>

namespace tune::report {
namespace {

std::map<std::string, std::size_t> count_of_kinds(const CsvTable& table) {
  std::map<std::string, std::size_t> counts;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    ++counts[table.field(row, "kind")];
  }
  return counts;
}

TEST(CsvFormat, HasARowForEveryNumberOfARun) {
  const auto document = run_document();
  const CsvTable table = read_csv(to_csv(stored(document), {}));
  ASSERT_EQ(table.problem, "");
  auto counts = count_of_kinds(table);
  std::size_t missing = 0;
  for (const auto& cell : document["cells"]) {
    missing += cell["throughput"].is_null() ? 1 : 0;
  }
  EXPECT_EQ(counts["cell"], document["metrics"].size() + document["cells"].size() + missing);
  EXPECT_EQ(counts["trial"], 2 * 80U);
  EXPECT_EQ(counts["slice"], 5 * 78U) << "two of the 80 trials failed";
  EXPECT_EQ(counts["recommendation"], 6U);
}

TEST(CsvFormat, NumbersComeWithUnitIntervalAndN) {
  const auto document = run_document();
  const CsvTable table = read_csv(to_csv(stored(document), {}));
  const auto& metric = document["metrics"][0];
  EXPECT_EQ(table.field(0, "cell"), "baseline");
  EXPECT_EQ(table.field(0, "metric"), "throughput");
  EXPECT_EQ(table.field(0, "unit"), "samples/s");
  EXPECT_EQ(table.field(0, "n"), "3");
  EXPECT_EQ(std::stod(table.field(0, "value")), metric["value"].get<double>());
  EXPECT_EQ(std::stod(table.field(0, "lower")), metric["lower"].get<double>());
  EXPECT_EQ(std::stod(table.field(0, "confidence")), 0.75);
}

TEST(CsvFormat, FailuresStayWithTheirReason) {
  const CsvTable table = read_csv(to_csv(stored(run_document()), {}));
  std::size_t found = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.field(row, "kind") == "cell" && table.field(row, "cell") == "c21" &&
        table.field(row, "metric") == "throughput") {
      ++found;
      EXPECT_EQ(table.field(row, "value"), "");
      EXPECT_EQ(table.field(row, "outcome"), "crashed");
      EXPECT_NE(table.field(row, "reason").find("SIGSEGV"), std::string::npos);
    }
  }
  EXPECT_EQ(found, 1U);
}

TEST(CsvFormat, HasBothSidesAndTheChangeOfAGate) {
  const CsvTable table = read_csv(to_csv(stored(gate_document()), {}));
  ASSERT_EQ(table.problem, "");
  EXPECT_EQ(count_of_kinds(table)["gate"], 9U);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.field(row, "metric") == "throughput_change") {
      EXPECT_EQ(table.field(row, "outcome"), "REGRESSED");
      EXPECT_NEAR(std::stod(table.field(row, "value")), 1 / 1.2 - 1, 1e-12);
      EXPECT_EQ(table.field(row, "n"), "10");
    }
  }
}

TEST(CsvFormat, QuotesWhatWouldEndAFieldAndDisarmsFormulas) {
  auto document = run_document();
  document["scenario"]["name"] = "=1+1,\"x\"";
  const std::string text = to_csv(stored(document), {});
  EXPECT_NE(text.find("\r\n\"'=1+1,\"\"x\"\"\",cell,"), std::string::npos);
  EXPECT_EQ(read_csv(text).field(0, "scenario"), "'=1+1,\"x\"");
}

}  // namespace
}  // namespace tune::report
