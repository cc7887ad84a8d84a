#include "report/past_gates.h"

#include "page_check.h"
#include "report/gate_pages.h"
#include "report/run_pages.h"
#include "sample_advice.h"
#include "sample_gate.h"
#include "xml_check.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<history::PastGate> gates() {
  return diagnosed_result().history->gates;
}

TEST(PastGates, HaveVerdictReasonCodeAndChange) {
  const std::string text =
      read_xml("<div>" + to_markup(past_gates_table(gates())).finished() + "</div>").text;
  for (const char* const part : {"run 34",
                                 "INCONCLUSIVE",
                                 "ENV_SHIFT: the machine itself differed",
                                 "HEAD <b> at 0123456789ab",
                                 "throughput -1.2 %, epoch_time +1.3 %",
                                 "PASS",
                                 "not measured"}) {
    EXPECT_TRUE(contains(text, part)) << part;
  }
  EXPECT_TRUE(past_gates_table({}).rows.empty());
}

TEST(PastGates, StandInTheHistoryOfARun) {
  auto result = diagnosed_result();
  EXPECT_TRUE(contains(to_html(result), "ENV_SHIFT"));
  EXPECT_TRUE(contains(to_markdown(result), "ENV\\_SHIFT") ||
              contains(to_markdown(result), "ENV_SHIFT"));
  result.history->points.clear();
  const std::string html = to_html(result);
  EXPECT_TRUE(contains(html, "<h2>History</h2>")) << "also where no run compares";
  expect_sound_page(html);
  result.history->gates.clear();
  EXPECT_FALSE(contains(to_html(result), "<h2>History</h2>"));
}

TEST(PastGates, StandOnThePageOfAGate) {
  GateRecord record = to_gate_record(sample_gate(stats::GateVerdict::regressed));
  EXPECT_FALSE(contains(to_gate_html(record), "Gates before this one"));
  record.past_gates = gates();
  const std::string html = to_gate_html(record);
  EXPECT_TRUE(contains(html, "<h2>Gates before this one</h2>"));
  EXPECT_TRUE(contains(html, "ENV_SHIFT: the machine itself differed"));
  expect_sound_page(html);
}

TEST(Markdown, DrawsTheHistoryInOneLine) {
  const std::string page = to_markdown(diagnosed_result());
  EXPECT_TRUE(contains(page, "<summary>History</summary>\n\n"));
  EXPECT_TRUE(contains(page, " baseline over 5 runs since 2026-02-20: 56.8 "));
}

}  // namespace
}  // namespace tune::report
