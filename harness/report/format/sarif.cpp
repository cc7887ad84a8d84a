#include "base/text.h"
#include "report/format/formats.h"
#include "report/format/notices.h"
#include "report/format/stored_text.h"
#include "report/markup.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostResults = 5000;  // what code scanning shows of one file
constexpr std::size_t kMostWarnings = 100;
constexpr std::size_t kLongestTitle = 200;
constexpr std::size_t kLongestText = 2000;

const char* level_word(Notice::Level level) {
  switch (level) {
    case Notice::Level::error:
      return "error";
    case Notice::Level::warning:
      return "warning";
    case Notice::Level::note:
      return "note";
  }
  return "note";
}

// Never empty: a message without text is refused.
Json text_json(const std::string& text, std::size_t limit) {
  Json json;
  json["text"] = text.empty() ? "tune" : shortened(text, limit);
  return json;
}

std::string help_of(const Notice& notice) {
  if (notice.rule.starts_with("gate/")) {
    return "A row of tune gate. How it is judged: tune help exit-codes, and report.md of the gate.";
  }
  return notice.rule.starts_with("cell/")
             ? "A trial of this setting ended without a result; its stderr.log is in the run."
             : "What the rule looks at and why: tune rules show " + notice.rule;
}

std::string id_of(const Notice& notice) {
  return shortened_distinctly(notice.rule, kLongestTitle);
}

Json rule_json(const Notice& notice) {
  Json rule;
  rule["id"] = id_of(notice);
  rule["shortDescription"] = text_json(notice.title, kLongestTitle);
  rule["fullDescription"] = text_json(notice.title, kLongestText);
  rule["help"] = text_json(help_of(notice), kLongestText);
  rule["defaultConfiguration"]["level"] = level_word(notice.level);
  rule["properties"]["tags"] = Json::array({"performance"});
  const bool is_uri = notice.link.starts_with("https://") &&
                      notice.link.find_first_of(" <>\"\\^`{|}") == std::string::npos;
  if (is_uri) {
    rule["helpUri"] = notice.link;
  }
  return rule;
}

std::string uri_of(const result::Result& result, const FormatOptions& options) {
  const std::string path = path_below(result.scenario.file, options.root);
  return path.empty()            ? "scenario.yaml"
         : path.starts_with('/') ? "file://" + uri_text(path)
                                 : uri_text(path);
}

Json location_json(const Notice& notice, const std::string& uri) {
  Json location;
  Json& place = location["physicalLocation"];
  place["artifactLocation"]["uri"] = uri;
  if (!uri.starts_with("file:")) {
    place["artifactLocation"]["uriBaseId"] = "%SRCROOT%";
  }
  place["region"]["startLine"] = notice.line;
  return location;
}

Json result_json(const result::Result& result,
                 const Notice& notice,
                 std::size_t rule,
                 const std::string& uri) {
  const std::string hash = fingerprint(result, notice);
  Json json;
  json["ruleId"] = id_of(notice);
  json["ruleIndex"] = rule;
  json["level"] = level_word(notice.level);
  json["message"] = text_json(notice.title + ". " + notice.text, kLongestText);
  json["locations"] = Json::array({location_json(notice, uri)});
  json["partialFingerprints"]["tuneNotice/v1"] = hash;
  json["partialFingerprints"]["primaryLocationLineHash"] = hash + ":1";
  return json;
}

Json invocation_json(const result::Result& result) {
  Json notifications = Json::array();
  for (const std::string& warning : result.warnings) {
    if (notifications.size() < kMostWarnings) {
      Json notification;
      notification["level"] = "warning";
      notification["message"] = text_json(warning, kLongestText);
      notifications.push_back(std::move(notification));
    }
  }
  Json json;
  json["executionSuccessful"] = result.provenance.incomplete_reason.empty();
  json["toolExecutionNotifications"] = std::move(notifications);
  return json;
}

}  // namespace

std::string to_sarif(const result::Result& result, const FormatOptions& options) {
  const std::string uri = uri_of(result, options);
  std::map<std::string, std::size_t> places;  // of a rule in the list
  Json rules = Json::array();
  Json results = Json::array();
  for (const Notice& notice : notices(result)) {
    const auto [place, is_new] = places.emplace(id_of(notice), rules.size());
    if (is_new) {
      rules.push_back(rule_json(notice));
    }
    results.push_back(result_json(result, notice, place->second, uri));
    if (results.size() == kMostResults) {
      break;
    }
  }
  Json driver;
  driver["name"] = "tune";
  if (!result.provenance.tune_version.empty()) {
    driver["version"] = shortened(result.provenance.tune_version, kLongestTitle);
  }
  driver["rules"] = std::move(rules);
  Json run;
  run["tool"]["driver"] = std::move(driver);
  run["automationDetails"]["id"] = "tune/" + shortened(result.scenario.name, kLongestTitle) + "/";
  run["columnKind"] = "unicodeCodePoints";
  run["invocations"] = Json::array({invocation_json(result)});
  run["results"] = std::move(results);
  Json log;
  log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  log["version"] = "2.1.0";
  log["runs"] = Json::array({std::move(run)});
  return tune::escaped(log.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tune::report
