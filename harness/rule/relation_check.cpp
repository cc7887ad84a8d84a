#include "rule/relation_check.h"

#include "base/did_you_mean.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

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
                               ""});
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

}  // namespace

std::vector<Error::Parts> check_relations(const std::vector<Rule>& rules) {
  return RelationCheck(rules).check();
}

}  // namespace tune::rule
