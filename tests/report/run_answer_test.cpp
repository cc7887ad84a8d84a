#include "../advice/sample_findings.h"
#include "report/run_pages.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace tune::report {
namespace {

std::string first_screen(const campaign::CampaignResult& result) {
  const std::string page = to_html(result);
  return page.substr(0, page.find("<section"));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// A step of 256 samples takes longer than one of 32, however much faster the setting is.
TEST(HtmlAnswer, ComparesTimePerSampleWhereTheBatchesDiffer) {
  const std::string begin = first_screen(sample_result());
  EXPECT_TRUE(contains(begin, "time of a step per sample, median"));
  EXPECT_TRUE(contains(begin, "steps of 32 \u2192 256 samples"));
  EXPECT_FALSE(contains(begin, "99 % within")) << "two numbers with a word between read as a range";
}

TEST(HtmlAnswer, ComparesStepsWhereTheyAreOfTheSameSize) {
  const std::string begin = first_screen(result_with_cells(2));
  EXPECT_TRUE(contains(begin, "<dt>step time, median</dt>"));
  EXPECT_TRUE(contains(begin, "<dd>p99: "));
  EXPECT_FALSE(contains(begin, "steps of "));
}

// Everything that makes the numbers worth less stands above them, and only there.
TEST(HtmlAnswer, TellsOfRulesThatDoubtTheNumbersOnceAndFirst) {
  auto result = sample_result();
  const auto catalog = std::make_shared<const rule::Catalog>(
      rule::read_catalog({advice::changed_rule("doubt", "group: input", "group: validity")}));
  campaign::RunDiagnosis found;
  found.catalog = catalog;
  found.diagnosis = advice::diagnose(*catalog, advice::waiting(0.2));
  result.diagnosis = std::move(found);
  const std::string page = to_html(result);
  EXPECT_EQ(occurrences(page, "Before you trust the numbers"), 1U);
  EXPECT_EQ(occurrences(page, "doubt: data_wait_ratio"), 1U);
  EXPECT_TRUE(contains(first_screen(result), "doubt: data_wait_ratio"));
  const std::string comment = to_markdown(result);
  EXPECT_EQ(occurrences(comment, "doubt: data_wait_ratio"), 1U);
  EXPECT_TRUE(contains(comment, "- Warning: doubt: data_wait_ratio"));
}

}  // namespace
}  // namespace tune::report
