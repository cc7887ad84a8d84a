// Gates that ran: tests/recorded/README.md. Their report.md was written as they ended.

#include "base/file.h"
#include "page_check.h"
#include "report/gate_pages.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <regex>
#include <string>

namespace tune::report {
namespace {

namespace fs = std::filesystem;

// Older versions asked a rule, which told again what the verdict says.
std::string without_findings(std::string page) {
  for (std::size_t at = page.find("\n- Finding: "); at != std::string::npos;
       at = page.find("\n- Finding: ")) {
    page.erase(at, page.find('\n', at + 1) - at);
  }
  return page;
}

// When they were recorded, the Markdown called a warning a note.
std::string in_words_of_today(const std::string& page) {
  return std::regex_replace(page, std::regex("\n- Note: "), "\n- Warning: ");
}

TEST(RecordedGates, GiveTheMarkdownAgainThatWasWrittenAsTheyEnded) {
  std::size_t gates = 0;
  for (const auto& entry : fs::recursive_directory_iterator(RECORDED_GATES)) {
    if (entry.path().filename() == "result.json") {
      SCOPED_TRACE(entry.path().string());
      const GateRecord record = read_gate_record(read_file(entry.path()), "result.json");
      EXPECT_EQ(
          to_gate_markdown(record),
          in_words_of_today(without_findings(read_file(entry.path().parent_path() / "report.md"))));
      ++gates;
    }
  }
  EXPECT_GE(gates, 15U);
}

TEST(RecordedGates, OfAnOlderVersionHaveEveryReport) {
  const fs::path file = fs::path(STORED_RESULTS) / "gate-1.json";
  const GateRecord record = read_gate_record(read_file(file), "result.json");
  const std::string headline = "REGRESSED: epoch_time: worse by more than the budget";
  EXPECT_NE(to_gate_markdown(record).find("**" + headline + "**"), std::string::npos);
  EXPECT_TRUE(to_gate_text(record, {}).ends_with(headline + "\n"));
  const std::string html = to_gate_html(record);
  expect_sound_page(html);
  EXPECT_NE(html.find(headline), std::string::npos);
  for (const std::size_t limit : {std::size_t{2'000}, kCommentLimitBytes}) {
    const std::string page = to_gate_markdown(record, limit);
    EXPECT_LE(page.size(), limit);
    EXPECT_TRUE(page.starts_with("<!-- tune-gate: resnet18 -->\n"));
  }
}

}  // namespace
}  // namespace tune::report
