#include "base/text.h"
#include "report/format/formats.h"
#include "report/format/notices.h"
#include "report/format/stored_text.h"
#include "report/markup.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <set>
#include <string>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNotices = 5000;
constexpr std::size_t kLongestName = 200, kLongestText = 1000;

// One of info, minor, major, critical and blocker.
const char* severity(Notice::Level level) {
  switch (level) {
    case Notice::Level::error:
      return "major";
    case Notice::Level::warning:
      return "minor";
    case Notice::Level::note:
      return "info";
  }
  return "info";
}

}  // namespace

std::string to_gitlab_code_quality(const result::Result& result, const FormatOptions& options) {
  const std::string file = path_below(result.scenario.file, options.root);
  const std::string path = file.empty() ? "scenario.yaml" : file;
  Json list = Json::array();
  std::set<std::string> seen;  // GitLab takes two with one fingerprint for one
  for (const Notice& notice : notices(result)) {
    if (list.size() == kMostNotices) {
      break;
    }
    if (!seen.insert(fingerprint(result, notice)).second) {
      continue;
    }
    Json entry;
    const std::string text =
        notice.text.starts_with(notice.title) ? notice.text : notice.title + ". " + notice.text;
    entry["description"] = shortened(text, kLongestText);
    entry["check_name"] = shortened_distinctly(notice.rule, kLongestName);
    entry["fingerprint"] = fingerprint(result, notice);
    entry["severity"] = severity(notice.level);
    entry["location"] = {{"path", path}, {"lines", {{"begin", notice.line}}}};
    list.push_back(std::move(entry));
  }
  return tune::escaped(list.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tune::report
