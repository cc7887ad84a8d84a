#include "difficult_results.h"
#include "format_check.h"
#include "hostile_words.h"
#include "page_check.h"
#include "report/format/all_formats.h"
#include "report/gate_pages.h"
#include "report/result_json.h"
#include "report/run_pages.h"
#include "schema_complaint.h"
#include "stored_samples.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(FormatsBadInput, EveryFormatStaysWhatItIsWhateverTheResultHolds) {
  for (const auto& [name, document] : difficult_documents()) {
    const result::Result result = stored(document);
    for (const OutsideFormat& format : all_formats()) {
      const std::string text = format.render(result, {.root = "/a folder"});
      EXPECT_EQ(format_complaint(format.name, text), "") << name << " as " << format.name;
    }
  }
}

TEST(FormatsBadInput, EveryFormatIsTheSameTheSecondTime) {
  for (const OutsideFormat& format : all_formats()) {
    const result::Result result = stored(run_document());
    EXPECT_EQ(format.render(result, {}), format.render(result, {})) << format.name;
  }
}

TEST(FormatsBadInput, NoControlCharacterAndNoBrokenUtf8GetsThrough) {
  for (const auto& [name, document] : difficult_documents()) {
    const result::Result result = stored(document);
    for (const OutsideFormat& format : all_formats()) {
      const std::string text = format.render(result, {});
      for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        const bool is_line_end = c == '\n' || (c == '\r' && format.name == "csv");
        ASSERT_TRUE(is_line_end || (code >= 0x20 && code != 0x7F))
            << name << " as " << format.name << ": " << int(code);
      }
      EXPECT_NO_THROW(static_cast<void>(nlohmann::json(text).dump()))
          << name << " as " << format.name;
    }
  }
}

TEST(FormatsBadInput, NothingIsObeyedInAnyFormatOrPage) {
  for (const auto& [name, document] : difficult_documents()) {
    const result::Result result = stored(document);
    const std::string json = document.dump();
    const result::Result record = result::read_result(json, "result.json");
    std::vector<std::pair<std::string, std::string>> texts = {
        {"html", to_html(report::Run{.result = record, .json = json})},
        {"md", to_markdown(report::Run{record})},
        {"text", to_text(report::Run{record})}};
    if (result.kind == "gate" && result.gate) {
      const GateRecord gate = read_gate_record(json, "result.json");
      texts.insert(texts.end(),
                   {{"html of a gate", to_gate_html(gate)},
                    {"md of a gate", to_gate_markdown(gate)},
                    {"text of a gate", to_gate_text(gate, {})}});
    }
    for (const OutsideFormat& format : all_formats()) {
      texts.emplace_back(format.name, format.render(result, {}));
    }
    for (const auto& [format, text] : texts) {
      EXPECT_EQ(obeyed_character(text), "") << name << " as " << format;
      if (format != "github-annotations") {
        EXPECT_FALSE(command_line(text).starts_with("::")) << name << " as " << format;
      }
    }
  }
  for (const auto& [name, result] : difficult_results()) {
    for (const std::string& text : {to_html(result), to_markdown(result), to_result_json(result)}) {
      EXPECT_EQ(obeyed_character(text), "") << name << ": " << text.substr(0, 20);
    }
  }
}

TEST(FormatsBadInput, AnnotationsHoldNoCommandButOurOwn) {
  for (const auto& [name, document] : difficult_documents()) {
    std::istringstream lines(to_github_annotations(stored(document), {}));
    for (std::string line; std::getline(lines, line);) {
      const bool is_ours = line.starts_with("::error ") || line.starts_with("::warning ") ||
                           line.starts_with("::notice ");
      EXPECT_TRUE(is_ours) << name << ": " << line;
    }
  }
}

TEST(FormatsBadInput, TwoSettingsThatDifferOnlyFarBehindStayTwo) {
  for (const auto& [name, result] : difficult_results()) {
    if (name == "labels of 10,000 characters") {
      const result::Result read = stored(nlohmann::json::parse(to_result_json(result)));
      const auto document = nlohmann::json::parse(to_bencher(read, {}));
      std::size_t measured = 0;
      for (const result::Cell& cell : read.cells) {
        measured += cell.throughput.value ? 1 : 0;
      }
      EXPECT_EQ(document.size(), measured);
    }
  }
}

TEST(FormatsBadInput, PagesStayWhatTheyAre) {
  for (const auto& [name, result] : difficult_results()) {
    if (name != "nothing at all") {  // no run is without its scenario
      EXPECT_EQ(complaint(nlohmann::json::parse(to_result_json(result))), "") << name;
    }
    const std::string html = to_html(result);
    const XmlDocument page = read_xml(html);
    EXPECT_EQ(page.problem, "") << name;
    std::size_t scripts = 0, data = 0;
    for (const XmlElement& element : page.elements) {
      if (element.tag == "script") {
        ++scripts;
        data += element.attribute("type") == "application/json" ? 1 : 0;
      }
    }
    EXPECT_EQ(scripts - data, 1U) << name << ": our own alone";
    EXPECT_LE(data, 1U) << name;
    expect_sound_page(html);
    EXPECT_LE(html.size(), 5'000'000U) << name;
    for (const XmlElement& element : page.elements) {
      for (const auto& [attribute, value] : element.attributes) {
        EXPECT_FALSE(value == "nan" || value == "-nan" || value == "inf") << name << attribute;
      }
    }
    for (const std::size_t limit :
         {std::size_t{2'000}, kMarkdownLimitBytes, kStepSummaryLimitBytes}) {
      const std::string text = to_markdown(result, limit);
      EXPECT_LE(text.size(), limit) << name;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        const bool is_code = line.starts_with("    ");  // there nothing is markup
        EXPECT_FALSE(!is_code && contains(line, "<script")) << name << ": " << line;
      }
      EXPECT_TRUE(text.starts_with("<!-- tune-report: ")) << name;
    }
  }
}

TEST(FormatsBadInput, WhatIsNotKnownIsLeftOutAndNeverZero) {
  auto document = run_document();
  for (auto& metric : document["metrics"]) {
    metric["value"] = nullptr;
  }
  for (auto& cell : document["cells"]) {
    cell["throughput"] = nullptr;
    cell["gain"] = nullptr;
  }
  for (auto& trial : document["provenance"]["trials"]) {
    trial["measured"] = nullptr;
  }
  const result::Result result = stored(document);
  EXPECT_EQ(to_bencher(result, {}), "{}\n");
  EXPECT_EQ(to_bigger_is_better(result, {}), "[]\n");
  EXPECT_EQ(to_smaller_is_better(result, {}), "[]\n");
  EXPECT_EQ(to_gitlab_metrics(result, {}), "# EOF\n");
  EXPECT_TRUE(nlohmann::json::parse(to_google_benchmark(result, {}))["benchmarks"].empty());
  EXPECT_FALSE(contains(to_openmetrics(result, {}), "throughput"));
}

TEST(FormatsBadInput, EveryFormatHasAFileOfItsOwn) {
  std::set<std::string_view> names, files;
  for (const OutsideFormat& format : all_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_TRUE(files.insert(format.file).second) << format.file;
    EXPECT_EQ(find_format(format.name), &format);
  }
  EXPECT_EQ(find_format("html"), nullptr);
}

}  // namespace
}  // namespace tune::report
