// Reports of a result.json alone, of every version that is kept.

#include "base/error.h"
#include "base/file.h"
#include "page_check.h"
#include "report/result_json.h"
#include "report/run_pages.h"
#include "sample_advice.h"
#include "stored_samples.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Name and text of every result of a run that an older version wrote; those of a gate are in
// recorded_gates_test.cpp.
std::vector<std::pair<std::string, std::string>> older_results() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& entry : std::filesystem::directory_iterator(STORED_RESULTS)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with("run-") && name.ends_with(".json")) {
      all.emplace_back(std::move(name), read_file(entry.path()));
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

const TextLook kOnOneLine{.width = 100'000};

std::string diagnosed_json() {
  return to_result_json(diagnosed_result());
}

std::string page_of(const std::string& json, std::size_t limit = kPageLimitBytes) {
  const result::Result result = result::read_result(json, "result.json");
  return to_html(report::Run{.result = result, .json = json}, limit);
}

TEST(StoredPages, EveryOlderResultIsASoundPageThatAnswers) {
  ASSERT_GE(older_results().size(), 4U);
  for (const auto& [name, json] : older_results()) {
    SCOPED_TRACE(name);
    const result::Result record = result::read_result(json, name);
    const std::string html = page_of(json);
    expect_sound_page(html);
    const std::string text = read_xml(html).text;
    EXPECT_TRUE(contains(text, record.summary.headline));
    EXPECT_TRUE(contains(text, "drawings of steps, curves of the machine"));
    EXPECT_TRUE(contains(text, record.scenario.text));
    EXPECT_TRUE(contains(text, "AMD EPYC") || contains(text, record.environment.cpu_model.text));
    for (const result::Cell& cell : record.cells) {
      EXPECT_TRUE(contains(text, cell.id)) << cell.id;
      EXPECT_TRUE(contains(text, cell.reason)) << cell.reason;
    }
    EXPECT_TRUE(contains(html, "id=\"tune-result\""));
    EXPECT_EQ(html, page_of(json)) << "the same bytes";
  }
}

TEST(StoredPages, EveryOlderRunSaysHowMuchHowSureAndWhatToChange) {
  for (const auto& [name, json] : older_results()) {
    const std::string html = page_of(json);
    const std::string begin = html.substr(0, html.find("<section"));
    for (const char* const part :
         {"How much faster", "185.0 %", "How sure", "What to change", "amp: bf16 (was none)"}) {
      EXPECT_TRUE(contains(begin, part)) << name << ": " << part;
    }
  }
}

// Whatever the fonts: the browser test sees those of one machine.
TEST(StoredPages, LongNamesAndValuesDoNotPushTheFactsBelowTheFirstScreen) {
  const std::string html = page_of(to_result_json(hostile_result()));
  const std::size_t begin = html.find("<dl class=\"facts\"");
  ASSERT_NE(begin, std::string::npos);
  const std::string facts =
      read_xml(html.substr(begin, html.find("</dl>", begin) + 5 - begin)).text;
  EXPECT_TRUE(contains(facts, "cpu_affinity: "));
  EXPECT_LT(facts.size(), 600U) << facts;
}

TEST(StoredPages, EveryOlderResultIsMarkdownWithinItsLimitsAndText) {
  for (const auto& [name, json] : older_results()) {
    SCOPED_TRACE(name);
    const result::Result record = result::read_result(json, name);
    for (const std::size_t limit : {std::size_t{2'000}, kMarkdownLimitBytes}) {
      const std::string page = to_markdown(report::Run{record}, limit);
      EXPECT_LE(page.size(), limit);
      EXPECT_TRUE(page.starts_with("<!-- tune-report: resnet18 -->\n"));
      EXPECT_TRUE(contains(page, escape_markdown(record.summary.headline).substr(0, 30)));
    }
    const std::string text = to_text(report::Run{record}, kOnOneLine);
    EXPECT_TRUE(contains(text, "\n" + record.summary.headline + "\n"));
  }
}

TEST(StoredPages, ShowWhatTheRulesSaid) {
  const std::string json = diagnosed_json();
  const std::string text = read_xml(page_of(json)).text;
  for (const char* const part : {"R1. Feed the training faster",
                                 "CONFIRMED +22.0 %",
                                 "-  num_workers: 0\n+  num_workers: 2",
                                 "In the environment of the program:",
                                 "OMP_NUM_THREADS=2",
                                 "MALLOC_MMAP_MAX_=0",
                                 "data_wait_ratio",
                                 "5% (own)",
                                 "amdahl",
                                 "paired A/B",
                                 "https://docs.pytorch.org/docs/stable/data.html",
                                 "Exposed and overlapped time of each part, baseline"}) {
    EXPECT_TRUE(contains(text, part)) << part;
  }
  const result::Result record = result::read_result(json, "result.json");
  const std::string markdown = to_markdown(report::Run{record});
  EXPECT_TRUE(contains(markdown, "<details>\n<summary>R1. Feed the training faster"));
  EXPECT_TRUE(contains(markdown, "\n</details>\n\n"));
  const std::string text_shown = to_text(report::Run{record}, kOnOneLine);
  EXPECT_TRUE(contains(text_shown, "R1  Feed the training faster [wait]: predicted "));
  EXPECT_TRUE(
      contains(text_shown, "measured +22.0 % [+20.8 %, +23.2 %] in 8 fresh pairs: CONFIRMED"));
}

TEST(StoredPages, StaySoundWhateverTheFileHolds) {
  for (const auto& [name, document] : difficult_documents()) {
    SCOPED_TRACE(name);
    const std::string json =
        document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const result::Result record = result::read_result(json, name);
    expect_sound_page(page_of(json));
    EXPECT_LE(to_markdown(report::Run{record}).size(), kMarkdownLimitBytes);
    for (const char letter : to_text(report::Run{record})) {
      EXPECT_TRUE(letter == '\n' || static_cast<unsigned char>(letter) >= 0x20);
    }
  }
}

TEST(StoredPages, KeepToTheLimitOfAPage) {
  nlohmann::json document = nlohmann::json::parse(diagnosed_json());
  const nlohmann::json cell = document["cells"][1];
  for (int i = 0; i < 2'600; ++i) {  // 5.2 MB of reasons alone
    document["cells"].push_back(cell);
    document["cells"].back()["reason"] = std::string(2'000, 'r');
  }
  const std::string json = document.dump();
  for (const std::size_t limit : {kPageLimitBytes, std::size_t{500'000}, kLeastPageLimitBytes}) {
    const std::string html = page_of(json, limit);
    EXPECT_LE(html.size(), limit);
    expect_sound_page(html);
    EXPECT_TRUE(contains(html, "more settings are in result.json.")) << limit;
  }
}

TEST(StoredPages, SettingsThatAreNestedWithoutEndAreNotFollowed) {
  nlohmann::json document = nlohmann::json::parse(diagnosed_json());
  document["cells"][1]["changed"]["a"] = "DEEP";
  std::string json = document.dump();
  constexpr std::size_t kDepth = 100'000;
  json.replace(json.find("\"DEEP\""), 6, std::string(kDepth, '[') + std::string(kDepth, ']'));
  const std::string setting = result::read_result(json, "result.json").cells.at(1).setting;
  EXPECT_TRUE(contains(setting, "...")) << setting.substr(0, 200);
  expect_sound_page(page_of(json));
}

TEST(StoredPages, ManyWarningsKeepToTheLimitAndAreCounted) {
  nlohmann::json document = nlohmann::json::parse(diagnosed_json());
  for (int i = 0; i < 400; ++i) {
    document["warnings"].push_back(std::to_string(i) + std::string(590, 'w'));
  }
  const std::string html = page_of(document.dump(), kLeastPageLimitBytes);
  EXPECT_LE(html.size(), kLeastPageLimitBytes);
  EXPECT_TRUE(contains(html, "more warnings are in result.json."));
}

TEST(StoredPages, RefuseWhatIsNoResult) {
  EXPECT_THROW(result::read_result("{}", "result.json"), Error);
  EXPECT_THROW(result::read_result("no json", "result.json"), Error);
}

}  // namespace
}  // namespace tune::report
