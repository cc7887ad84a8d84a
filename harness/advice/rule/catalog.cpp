#include "advice/rule/catalog.h"

#include "advice/rule/embedded_rules.h"
#include "advice/rule/read_rule.h"
#include "advice/rule/rule.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tune::rule {

namespace {

using Members = std::vector<Related> Rule::*;

struct Relation {
  Members members;
  const char* key;
  bool is_acyclic;
};

constexpr std::array<Relation, 3> kRelations = {{{&Rule::explained_by, "explained_by", true},
                                                 {&Rule::mutes, "mutes", true},
                                                 {&Rule::conflicts, "conflicts", false}}};

std::string place(const Rule& rule, scenario::Mark mark) {
  return rule.file + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

class RelationCheck {
 public:
  explicit RelationCheck(const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
      const auto [first, is_new] = by_id_.emplace(rule.id, &rule);
      if (!is_new) {
        complaints_.push_back({place(rule, rule.id_mark),
                               "the id `" + rule.id + "` is there twice",
                               "first in " + first->second->file,
                               "give yours another id"});
      }
    }
  }

  std::vector<Error::Parts> check() {
    for (const auto& [id, rule] : by_id_) {
      for (const Relation& relation : kRelations) {
        for (const Related& other : rule->*relation.members) {
          check_exists(*rule, other);
        }
      }
    }
    for (const Relation& relation : kRelations) {
      if (relation.is_acyclic) {
        find_circles(relation);
      }
    }
    return std::move(complaints_);
  }

 private:
  void check_exists(const Rule& rule, const Related& other) {
    if (by_id_.contains(other.id)) {
      return;
    }
    std::vector<std::string> ids;
    ids.reserve(by_id_.size());
    for (const auto& [id, known] : by_id_) {
      ids.emplace_back(id);
    }
    complaints_.push_back({place(rule, other.mark),
                           "there is no rule " + scenario::quote(other.id),
                           "",
                           did_you_mean(other.id, ids)});
  }

  // Depth first, without recursion: `path` is how the walk came to the rule that it looks at.
  void find_circles(const Relation& relation) {
    std::set<std::string_view> done;
    for (const auto& [id, start] : by_id_) {
      std::vector<Stop> path = {{start, 0}};
      while (!path.empty()) {
        const Rule& rule = *path.back().rule;
        const auto& members = rule.*relation.members;
        if (done.contains(rule.id) || path.back().next == members.size()) {
          done.insert(rule.id);
          path.pop_back();
          continue;
        }
        const Related& other = members[path.back().next++];
        const auto next = by_id_.find(other.id);
        if (next == by_id_.end()) {
          continue;
        }
        const auto before = std::find_if(
            path.begin(), path.end(), [&](const Stop& stop) { return stop.rule == next->second; });
        if (before == path.end()) {
          path.push_back({next->second, 0});
        } else {
          complain_about_circle(relation, {before, path.end()}, place(rule, other.mark));
        }
      }
    }
  }

  struct Stop {
    const Rule* rule;
    std::size_t next;  // of its members: the one to look at
  };

  void complain_about_circle(const Relation& relation,
                             const std::vector<Stop>& circle,
                             const std::string& where) {
    std::string text;
    for (const Stop& stop : circle) {
      text += stop.rule->id + " -> ";
    }
    text += circle.front().rule->id;
    std::string problem = "`";
    problem += relation.key;
    problem += "` forms a cycle: ";
    complaints_.push_back({where, problem + text, "", ""});
  }

  std::map<std::string_view, const Rule*> by_id_;
  std::vector<Error::Parts> complaints_;
};

// What is wrong between rules: an id twice, a rule that is named and does not exist, circles of
// `explained_by` and of `mutes`.
std::vector<Error::Parts> check_relations(const std::vector<Rule>& rules) {
  return RelationCheck(rules).check();
}

}  // namespace

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
