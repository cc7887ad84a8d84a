#include "approved.h"
#include "page_check.h"
#include "report/headline.h"
#include "report/result_json.h"
#include "report/run_pages.h"
#include "report/templates.h"
#include "sample_advice.h"
#include "sample_result.h"
#include "xml_check.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace tune::report {
namespace {

std::size_t count(const XmlDocument& document, const std::string& tag) {
  return static_cast<std::size_t>(std::count_if(document.elements.begin(),
                                                document.elements.end(),
                                                [&](const auto& each) { return each.tag == tag; }));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Html, IsTheApprovedPageForTheSample) {
  expect_approved("tests/golden/report/sample.html", to_html(sample_result()));
}

TEST(Html, IsTheApprovedPageForARunWhoseRulesWereAsked) {
  const std::string html = to_html(diagnosed_result());
  expect_sound_page(html);
  expect_approved("tests/golden/report/diagnosed.html", html);
}

TEST(Html, IsWellFormedWhateverTheRunFound) {
  for (const auto& result : {sample_result(),
                             unconfirmed_result(),
                             all_failed_result(),
                             empty_result(),
                             result_with_cells(1),
                             result_with_cells(2),
                             result_with_cells(500),
                             hostile_result(),
                             campaign::CampaignResult{}}) {
    const XmlDocument page = read_xml(to_html(result));
    EXPECT_EQ(page.problem, "");
    EXPECT_EQ(count(page, "h1"), 1U);
    EXPECT_TRUE(contains(page.text, headline(result))) << headline(result);
  }
}

TEST(Html, IsByteIdenticalTheSecondTime) {
  EXPECT_EQ(to_html(sample_result()), to_html(sample_result()));
}

TEST(Html, FetchesNothingAndRunsNoScriptButItsOwn) {
  const std::string html = to_html(sample_result());
  expect_sound_page(html);
  EXPECT_FALSE(contains(html, "http:"));
  EXPECT_FALSE(contains(html, "javascript:"));
}

TEST(Html, TheScriptTouchesNeitherANetworkNorMarkup) {
  const std::string script(kReportScriptJs);
  for (const char* const word : {"fetch",
                                 "XMLHttpRequest",
                                 "WebSocket",
                                 "import",
                                 "eval",
                                 "innerHTML",
                                 "document.write",
                                 "<",
                                 "&"}) {
    EXPECT_FALSE(contains(script, word)) << word;
  }
}

// The three facts, in the order of the page, before any table or drawing.
TEST(Html, BeginsWithHowMuchFasterHowSureAndWhatToChange) {
  const std::string html = to_html(sample_result());
  const std::string begin = html.substr(0, html.find("<section"));
  std::size_t at = 0;
  for (const char* const part : {"How much faster",
                                 "+185.0 %",
                                 "How sure",
                                 "CONFIRMED",
                                 "What to change",
                                 "amp: bf16 (was none)",
                                 "batch_size: 256 (was 32)"}) {
    const std::size_t found = begin.find(part, at);
    ASSERT_NE(found, std::string::npos) << part;
    at = found;
  }
  EXPECT_EQ(begin.find("<table"), std::string::npos);
  EXPECT_LE(begin.size(), 60'000U);
}

TEST(Html, SaysInTheThreeFactsWhatIsNotKnown) {
  for (const auto& [result, words] : {std::pair(unconfirmed_result(), "nothing is proven to pay"),
                                      std::pair(all_failed_result(), "nothing yet"),
                                      std::pair(empty_result(), "no trial was run")}) {
    EXPECT_TRUE(contains(to_html(result), words)) << words;
  }
}

TEST(Html, EverySectionOfAWholeRunIsThere) {
  const std::string html = to_html(diagnosed_result());
  for (const char* const heading : {"What to change",
                                    "Where the time goes",
                                    "What a step consists of",
                                    "What limits the baseline",
                                    "Gains and how sure they are",
                                    "Fresh pairs",
                                    "Settings, ranked",
                                    "What failed",
                                    "What was not tried",
                                    "Scaling",
                                    "Data pipeline",
                                    "Device and memory",
                                    "How steady it was",
                                    "Environment",
                                    "How it was measured",
                                    "Run it again"}) {
    EXPECT_TRUE(contains(html, std::string("<h2>") + heading + "</h2>")) << heading;
  }
}

TEST(Html, KeepsHostileTextAsText) {
  const std::string html = to_html(hostile_result());
  EXPECT_FALSE(contains(html, "<script>alert"));
  expect_sound_page(html);
  EXPECT_TRUE(contains(html, "&lt;script&gt;alert(&#39;1&#39;)"));
  EXPECT_TRUE(contains(html, "{{body}}")) << "placeholders in values are not filled";
}

TEST(Html, TablesHaveCaptionsAndScopesAndDrawingsHaveDescriptions) {
  const XmlDocument page = read_xml(to_html(sample_result()));
  EXPECT_EQ(count(page, "table"), count(page, "caption"));
  EXPECT_GE(count(page, "svg"), 10U);
  EXPECT_EQ(count(page, "svg"), count(page, "desc"));
  std::set<std::string> ids;
  int level = 1;
  for (const XmlElement& element : page.elements) {
    if (element.tag == "th") {
      EXPECT_TRUE(element.attribute("scope") == "col" || element.attribute("scope") == "row");
    }
    if (element.tag == "html") {
      EXPECT_EQ(element.attribute("lang"), "en");
    }
    if (element.tag == "svg") {
      EXPECT_EQ(element.attribute("role"), "img");
      EXPECT_EQ(element.attribute("width"), "100%");
    }
    if (element.tag.size() == 2 && element.tag[0] == 'h' && std::isdigit(element.tag[1]) != 0) {
      EXPECT_LE(element.tag[1] - '0', level + 1) << "a heading level is skipped";
      level = element.tag[1] - '0';
    }
    const std::string id = element.attribute("id");
    EXPECT_TRUE(id.empty() || ids.insert(id).second) << id << " is there twice";
  }
}

TEST(Html, DrawingsNeedNoStyleSheet) {
  const XmlDocument page = read_xml(to_html(sample_result()));
  for (const XmlElement& element : page.elements) {
    if (element.tag == "rect" || element.tag == "polygon" || element.tag == "text") {
      EXPECT_FALSE(element.attribute("fill").empty()) << element.tag;
    }
    if (element.tag == "line" || element.tag == "circle") {
      EXPECT_FALSE(element.attribute("stroke").empty()) << element.tag;
    }
  }
}

TEST(Html, FitsTheSizeBudgets) {
  EXPECT_LE(to_html(sample_result()).size(), 400'000U);
  EXPECT_LE(to_html(diagnosed_result()).size(), 1'000'000U);
  EXPECT_LE(to_html(result_with_cells(500)).size(), 2'000'000U);
}

TEST(Html, LinksToEverySectionBehindTheAnswer) {
  const std::string html = to_html(diagnosed_result());
  const std::size_t links = html.find("<nav "), first = html.find("<section");
  ASSERT_NE(links, std::string::npos);
  EXPECT_LT(html.find("id=\"headline\""), links);
  EXPECT_LT(links, first);
  const XmlDocument page = read_xml(html);
  std::size_t sections = 0;
  for (const XmlElement& element : page.elements) {
    if (element.tag == "section") {
      ++sections;
      EXPECT_TRUE(contains(html, "<a href=\"#" + element.attribute("id") + "\">"));
    }
  }
  EXPECT_GE(sections, 15U);
}

TEST(Html, LinksOfCardsCanBeFollowedAndTellNobody) {
  EXPECT_TRUE(contains(to_html(diagnosed_result()),
                       "<dt>Read</dt><dd><a href=\"https://docs.pytorch.org/"));
  EXPECT_FALSE(contains(to_html(diagnosed_result()), "target="));
}

TEST(Html, HoldsTheResultAsData) {
  const auto result = diagnosed_result();
  const std::string html = to_html(result);
  const std::string begin = "<script type=\"application/json\" id=\"tune-result\">";
  const std::size_t at = html.find(begin);
  ASSERT_NE(at, std::string::npos);
  const std::size_t end = html.find("</script>", at);
  const auto data = nlohmann::json::parse(html.substr(at + begin.size(), end - at - begin.size()));
  EXPECT_EQ(data, nlohmann::json::parse(to_result_json(result)));
}

TEST(Html, NamesEveryCellEveryReasonAndTheScenario) {
  const auto result = sample_result();
  const std::string text = read_xml(to_html(result)).text;
  for (const auto& cell : result.cells) {
    EXPECT_TRUE(contains(text, cell.cell.id)) << cell.cell.id;
    EXPECT_TRUE(contains(text, cell.reason)) << cell.reason;
  }
  for (const auto& knob : result.plan.collapsed) {
    EXPECT_TRUE(contains(text, knob.reason)) << knob.reason;
  }
  EXPECT_TRUE(contains(text, result.plan.forbidden.front().text));
  EXPECT_TRUE(contains(text, result.scenario.text));
  EXPECT_TRUE(contains(text, result.data.manifest_sha256));
  EXPECT_TRUE(contains(text, "./tune run scenarios/resnet18.yaml"));
}

}  // namespace
}  // namespace tune::report
