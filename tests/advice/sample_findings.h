#pragma once

#include "../advice/rule/sample_rule.h"
#include "advice/diagnosis.h"

#include <string>
#include <utility>
#include <vector>

namespace tune::advice {

/// A catalogue of short rules (sample_rule.h) with these further lines each.
inline rule::Catalog catalog_of(const std::vector<std::pair<std::string, std::string>>& rules) {
  std::vector<rule::RuleFile> files;
  files.reserve(rules.size());
  for (const auto& [id, more] : rules) {
    files.push_back({"rules/" + id + ".yaml", rule::short_rule(id, more)});
  }
  return rule::read_catalog(files);
}

/// Short rules of which one part was replaced.
inline rule::RuleFile changed_rule(const std::string& id,
                                   const std::string& from,
                                   const std::string& to,
                                   const std::string& more = "") {
  std::string text = rule::short_rule(id, more);
  text.replace(text.find(from), from.size(), to);
  return {"rules/" + id + ".yaml", text};
}

/// Facts of a run whose steps wait for data so long.
inline rule::FactTable waiting(double ratio) {
  rule::FactTable facts;
  facts.step_count = 100;
  facts.set("data_wait_ratio",
            {.result = expression::Value::of(ratio), .source = "trace", .window = "profile"});
  return facts;
}

inline const Finding& finding_of(const Diagnosis& diagnosis, const std::string& id) {
  for (const Finding& finding : diagnosis.findings) {
    if (finding.rule->id == id) {
      return finding;
    }
  }
  throw std::out_of_range("no finding of " + id);
}

}  // namespace tune::advice
