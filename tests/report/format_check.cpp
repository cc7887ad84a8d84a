#include "format_check.h"

#include "csv_check.h"
#include "openmetrics_check.h"
#include "schema_complaint.h"
#include "xml_check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

namespace tune::report {

namespace {

using nlohmann::json;

std::string csv_complaint(const std::string& text) {
  const CsvTable table = read_csv(text);
  if (!table.problem.empty()) {
    return table.problem;
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    for (const char* column : {"value", "lower", "upper", "confidence", "n", "round", "slice"}) {
      const std::string field = table.field(row, column);
      char* end = nullptr;
      const double number = std::strtod(field.c_str(), &end);
      if (*end != '\0' || !std::isfinite(number)) {
        return "row " + std::to_string(row + 1) + ": no number in " + column + ": " + field;
      }
    }
    if (table.field(row, "kind").empty() || table.field(row, "metric").empty()) {
      return "row " + std::to_string(row + 1) + " says of nothing";
    }
  }
  return "";
}

// Elements and attributes of the schema that Jenkins publishes (junit-10.xsd), as far as we need
// them; other readers know at least these.
const std::map<std::string, std::set<std::string>> kJunit = {
    {"testsuites", {"name"}},
    {"testsuite", {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}},
    {"testcase", {"classname", "name", "time"}},
    {"failure", {"message", "type"}},
    {"error", {"message", "type"}},
    {"skipped", {"message", "type"}},
    {"system-out", {}}};

std::string junit_complaint(const std::string& text) {
  constexpr std::string_view kStart = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  if (!text.starts_with(kStart)) {
    return "no XML declaration";
  }
  const XmlDocument document = read_xml(text.substr(kStart.size()));
  if (!document.problem.empty()) {
    return document.problem;
  }
  std::map<std::string, std::size_t> counts;
  for (const XmlElement& element : document.elements) {
    ++counts[element.tag];
    const auto known = kJunit.find(element.tag);
    if (known == kJunit.end()) {
      return "an unknown element " + element.tag;
    }
    for (const auto& [name, value] : element.attributes) {
      if (!known->second.contains(name)) {
        return "an unknown attribute " + name + " of " + element.tag;
      }
    }
    if (element.tag == "testcase" &&
        (element.attribute("name").empty() || element.attribute("classname").empty())) {
      return "a case without a name";
    }
  }
  if (counts["testsuites"] != 1 || counts["testsuite"] != 1 ||
      document.elements.front().tag != "testsuites") {
    return "not one suite";
  }
  const XmlElement& suite = document.elements[1];
  for (const auto& [attribute, tag] : std::map<std::string, std::string>{{"tests", "testcase"},
                                                                         {"failures", "failure"},
                                                                         {"errors", "error"},
                                                                         {"skipped", "skipped"}}) {
    if (suite.attribute(attribute) != std::to_string(counts[tag])) {
      return "the suite counts " + suite.attribute(attribute) + " " + attribute;
    }
  }
  return "";
}

std::string json_complaint(const std::string& schema, const std::string& text) {
  const json document = json::parse(text, nullptr, false);
  return document.is_discarded()
             ? "no JSON"
             : complaint_by("tests/report/schemas/" + schema + ".schema.json", document);
}

std::string sarif_complaint(const std::string& text) {
  std::string found = json_complaint("sarif", text);
  if (!found.empty()) {
    return found;
  }
  const json document = json::parse(text);
  const json& run = document["runs"][0];
  const json& rules = run["tool"]["driver"]["rules"];
  std::set<std::string> ids;
  for (const json& rule : rules) {
    if (!ids.insert(rule["id"].get<std::string>()).second) {
      return "a rule that is there already: " + rule["id"].dump();
    }
  }
  for (const json& result : run["results"]) {
    const auto index = result["ruleIndex"].get<std::size_t>();
    if (index >= rules.size() || rules[index]["id"] != result["ruleId"]) {
      return "a ruleIndex of another rule: " + result["ruleId"].dump();
    }
  }
  return "";
}

// GitLab joins issues of the same fingerprint, and knows paths from the top of the repository.
std::string code_quality_complaint(const std::string& text) {
  std::string found = json_complaint("gitlab-code-quality", text);
  if (!found.empty()) {
    return found;
  }
  std::set<std::string> fingerprints;
  for (const json& issue : json::parse(text)) {
    if (!fingerprints.insert(issue["fingerprint"].get<std::string>()).second) {
      return "a fingerprint that is there already: " + issue.dump();
    }
    if (issue["location"]["path"].get<std::string>().starts_with("./")) {
      return "a path that begins with ./: " + issue.dump();
    }
  }
  return "";
}

std::string google_benchmark_complaint(const std::string& text) {
  std::string found = json_complaint("google-benchmark", text);
  const bool is_ascii = std::all_of(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return found.empty() && !is_ascii ? "not in ASCII" : found;
}

// GitLab splits a line at its last space and takes both halves as texts.
std::string gitlab_complaint(const std::string& text) {
  const std::string found = read_openmetrics(text).problem;
  if (!found.empty()) {
    return found;
  }
  std::set<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#") && !names.insert(line.substr(0, line.rfind(' '))).second) {
      return "a metric that is there already: " + line;
    }
  }
  return "";
}

// ::error file=scenarios/a.yaml,line=3,title=...::text
std::string annotation_complaint(const std::string& text) {
  constexpr int kMost = 10;
  std::map<std::string, int> counts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    const std::size_t end = line.find("::", 2);
    if (!line.starts_with("::") || end == std::string::npos || space > end) {
      return "no workflow command: " + line;
    }
    const std::string kind = line.substr(2, space - 2);
    if (kind != "error" && kind != "warning" && kind != "notice") {
      return "an unknown command: " + line;
    }
    if (++counts[kind] > kMost) {
      return "more than 10 of " + kind;
    }
    std::istringstream properties(line.substr(space + 1, end - space - 1));
    for (std::string property; std::getline(properties, property, ',');) {
      const std::string name = property.substr(0, property.find('='));
      if (name != "file" && name != "line" && name != "title") {
        return "an unknown property: " + line;
      }
      if (property.find(':') != std::string::npos) {
        return "a colon in a property: " + line;
      }
    }
    if (end + 2 == line.size()) {
      return "nothing is said: " + line;
    }
  }
  return text.empty() || text.ends_with('\n') ? "" : "the last line does not end";
}

}  // namespace

std::string format_complaint(std::string_view format, const std::string& text) {
  const std::string name(format);
  return name == "csv"                   ? csv_complaint(text)
         : name == "junit"               ? junit_complaint(text)
         : name == "sarif"               ? sarif_complaint(text)
         : name == "openmetrics"         ? read_openmetrics(text).problem
         : name == "gitlab-metrics"      ? gitlab_complaint(text)
         : name == "gitlab-code-quality" ? code_quality_complaint(text)
         : name == "google-benchmark"    ? google_benchmark_complaint(text)
         : name == "bencher"             ? json_complaint("bencher", text)
         : name == "bigger-is-better" || name == "smaller-is-better"
             ? json_complaint("benchmark-action", text)
         : name == "github-annotations" ? annotation_complaint(text)
                                        : "nothing checks the format " + name;
}

}  // namespace tune::report
