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

// One script, ours to the letter, and a policy that lets nothing else run; beside it at most the
// data of the page, which nothing runs.
void expect_one_script(const XmlDocument& page, const std::string& html) {
  std::size_t scripts = 0, data = 0;
  for (const XmlElement& element : page.elements) {
    if (element.tag == "script") {
      const bool is_data = element.attribute("type") == "application/json";
      EXPECT_EQ(element.attributes.size(), is_data ? 2U : 0U);
      EXPECT_TRUE(!is_data || element.attribute("id") == "tune-result");
      ++(is_data ? data : scripts);
    }
  }
  EXPECT_EQ(scripts, 1U);
  EXPECT_LE(data, 1U);
  const std::string ours = "<script>" + std::string(kReportScriptJs) + "</script>";
  EXPECT_NE(html.find(ours), std::string::npos);
  const std::string allowed = "script-src 'sha256-" + script_hash(kReportScriptJs) + "';";
  EXPECT_NE(html.find(allowed), std::string::npos);
}

// Within the page, to what is there; or plain, to be followed by whoever wants to.
void expect_plain_link(const XmlElement& link, const std::set<std::string>& ids) {
  const std::string address = link.attribute("href");
  if (address.starts_with("#")) {
    EXPECT_TRUE(ids.contains(address.substr(1))) << address;
    EXPECT_EQ(link.attributes.size(), 1U);
  } else {
    EXPECT_TRUE(address.starts_with("https://")) << address;
    EXPECT_EQ(link.attribute("rel"), "noreferrer");
    EXPECT_EQ(link.attributes.size(), 2U);
  }
}

void expect_plain_links(const XmlDocument& page) {
  std::set<std::string> ids;
  for (const XmlElement& element : page.elements) {
    ids.insert(element.attribute("id"));
  }
  for (const XmlElement& element : page.elements) {
    if (element.tag == "a") {
      expect_plain_link(element, ids);
    }
  }
}

void expect_nothing_fetched(const XmlDocument& page, const std::string& html) {
  for (const char* const tag : {"img", "link", "iframe", "object"}) {
    EXPECT_EQ(count(page, tag), 0U) << tag;
  }
  EXPECT_EQ(html.find("@import"), std::string::npos);
  for (const XmlElement& element : page.elements) {
    for (const auto& [name, value] : element.attributes) {
      EXPECT_FALSE(name.starts_with("on") || name == "src") << name;
      EXPECT_TRUE(name != "href" || element.tag == "a") << element.tag;
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
  expect_plain_links(page);
  expect_outline(page);
  expect_tables(page);
  expect_drawings(page);
  EXPECT_LE(html.size(), 5'000'000U);
}

}  // namespace tune::report
