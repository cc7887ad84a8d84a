#include "rule/catalog.h"

#include "base/error.h"
#include "base/file.h"
#include "rule/embedded_rules.h"
#include "rule/read_rule.h"
#include "rule/relation_check.h"

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

namespace tune::rule {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFiles = 1000;
constexpr std::uintmax_t kLargestBytes = 1 << 20;

bool stands_before(const Rule& a, const Rule& b) {
  const bool a_is_validity = a.group == Group::validity;
  const bool b_is_validity = b.group == Group::validity;
  return a_is_validity != b_is_validity ? a_is_validity : a.id < b.id;
}

}  // namespace

const Rule* Catalog::find(const std::string& id) const {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.id == id; });
  return found == rules.end() ? nullptr : &*found;
}

std::vector<RuleFile> shipped_rules() {
  std::vector<RuleFile> files;
  files.reserve(kRuleFiles.size());
  for (const EmbeddedFile& file : kRuleFiles) {
    files.push_back({"rules/" + std::string(file.name), std::string(file.text)});
  }
  return files;
}

std::vector<RuleFile> rule_files_in(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> paths;
  auto entry = fs::directory_iterator(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code ignored;
    if (entry->path().extension() == ".yaml" && entry->is_regular_file(ignored)) {
      paths.push_back(entry->path());
    }
  }
  if (failed) {
    throw Error(Error::Parts{folder.string(), "cannot be read", failed.message(), ""});
  }
  if (paths.empty() || paths.size() > kMostFiles) {
    throw Error(Error::Parts{folder.string(),
                             paths.empty() ? "holds no rule" : "holds too many rules",
                             paths.empty() ? "a rule is a file *.yaml" : "at most 1,000",
                             ""});
  }
  std::sort(paths.begin(), paths.end());
  std::vector<RuleFile> files;
  files.reserve(paths.size());
  for (const fs::path& path : paths) {
    std::error_code unknown;
    const std::uintmax_t bytes = fs::file_size(path, unknown);
    if (!unknown && bytes > kLargestBytes) {  // with its place, as every complaint about a rule
      throw Error(
          Error::Parts{path.string() + ":1:1", "the file is too large", "at most 1 MiB", ""});
    }
    files.push_back({path.string(), read_file(path, static_cast<std::int64_t>(kLargestBytes))});
  }
  return files;
}

Catalog read_catalog(const std::vector<RuleFile>& files) {
  Catalog catalog;
  std::vector<Error::Parts> complaints;
  catalog.rules.reserve(files.size());
  for (const RuleFile& file : files) {
    scenario::Complaints found(file.name, kRuleKind);
    try {
      catalog.rules.push_back(read_rule(file.text, file.name, found));
    } catch (const Error&) {  // `found` holds it
    }
    const std::vector<Error::Parts> sorted = found.sorted();
    complaints.insert(complaints.end(), sorted.begin(), sorted.end());
  }
  if (complaints.empty()) {
    complaints = check_relations(catalog.rules);
  }
  if (!complaints.empty()) {
    throw Error(complaints);
  }
  std::sort(catalog.rules.begin(), catalog.rules.end(), stands_before);
  return catalog;
}

}  // namespace tune::rule
