#include "page_check.h"

#include "report/script_hash.h"
#include "report/templates.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace tune::report {

namespace {

std::size_t count(const XmlDocument& page, const std::string& tag) {
  return static_cast<std::size_t>(std::count_if(page.elements.begin(),
                                                page.elements.end(),
                                                [&](const auto& each) { return each.tag == tag; }));
}

// One script, ours to the letter, and a policy that lets nothing else run.
void expect_one_script(const XmlDocument& page, const std::string& html) {
  EXPECT_EQ(count(page, "script"), 1U);
  const std::string ours = "<script>" + std::string(kReportScriptJs) + "</script>";
  EXPECT_NE(html.find(ours), std::string::npos);
  const std::string allowed = "script-src 'sha256-" + script_hash(kReportScriptJs) + "';";
  EXPECT_NE(html.find(allowed), std::string::npos);
}

void expect_nothing_fetched(const XmlDocument& page, const std::string& html) {
  for (const char* const tag : {"img", "link", "iframe", "object", "a"}) {
    EXPECT_EQ(count(page, tag), 0U) << tag;
  }
  EXPECT_EQ(html.find("@import"), std::string::npos);
  for (const XmlElement& element : page.elements) {
    for (const auto& [name, value] : element.attributes) {
      EXPECT_FALSE(name.starts_with("on") || name == "src" || name == "href") << name;
      EXPECT_NE(name, "style") << "a strict content security policy drops it";
    }
  }
}

void expect_outline(const XmlDocument& page) {
  EXPECT_EQ(count(page, "h1"), 1U);
  int level = 0;
  std::set<std::string> ids;
  for (const XmlElement& element : page.elements) {
    if (element.tag.size() == 2 && element.tag[0] == 'h' && std::isdigit(element.tag[1]) != 0) {
      EXPECT_LE(element.tag[1] - '0', level + 1) << "a heading level is skipped";
      level = element.tag[1] - '0';
    }
    const std::string id = element.attribute("id");
    EXPECT_TRUE(id.empty() || ids.insert(id).second) << id << " is there twice";
  }
}

void expect_tables(const XmlDocument& page) {
  EXPECT_EQ(count(page, "table"), count(page, "caption"));
  for (const XmlElement& element : page.elements) {
    if (element.tag == "th") {
      EXPECT_TRUE(element.attribute("scope") == "col" || element.attribute("scope") == "row");
    }
  }
}

void expect_drawings(const XmlDocument& page) {
  EXPECT_EQ(count(page, "svg"), count(page, "desc"));
  for (const XmlElement& element : page.elements) {
    const std::string& tag = element.tag;
    if (tag == "svg") {
      EXPECT_EQ(element.attribute("role"), "img");
      EXPECT_NE(element.attribute("aria-labelledby"), "");
    }
    if (tag == "rect" || tag == "polygon" || tag == "text" || tag == "polyline") {
      EXPECT_NE(element.attribute("fill"), "") << tag;
    }
    if (tag == "line" || tag == "circle" || tag == "polyline") {
      EXPECT_NE(element.attribute("stroke"), "") << tag;
    }
  }
}

}  // namespace

void expect_sound_page(const std::string& html) {
  const XmlDocument page = read_xml(html);
  ASSERT_EQ(page.problem, "");
  expect_one_script(page, html);
  expect_nothing_fetched(page, html);
  expect_outline(page);
  expect_tables(page);
  expect_drawings(page);
  EXPECT_LE(html.size(), 5'000'000U);
}

}  // namespace tune::report
