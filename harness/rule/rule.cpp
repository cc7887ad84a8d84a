#include "rule/rule.h"

#include <algorithm>

namespace tune::rule {

const Limit* Rule::find_limit(const std::string& name) const {
  const auto found = std::find_if(
      limits.begin(), limits.end(), [&](const Limit& limit) { return limit.name == name; });
  return found == limits.end() ? nullptr : &*found;
}

const char* to_text(Group group) {
  switch (group) {
    case Group::validity:
      return "validity";
    case Group::environment:
      return "environment";
    case Group::input:
      return "input";
    case Group::transfers:
      return "transfers";
    case Group::launch:
      return "launch";
    case Group::compute:
      return "compute";
    case Group::distributed:
      return "distributed";
    case Group::memory:
      return "memory";
    case Group::host:
      return "host";
  }
  return "";
}

const char* to_text(Severity severity) {
  switch (severity) {
    case Severity::from_gain:
      return "from-gain";
    case Severity::info:
      return "info";
    case Severity::low:
      return "low";
    case Severity::medium:
      return "medium";
    case Severity::high:
      return "high";
  }
  return "";
}

const char* severity_word(const Rule& rule) {
  return rule.grades.empty() ? to_text(rule.severity) : "graded";
}

const char* to_text(Gain::Model model) {
  switch (model) {
    case Gain::Model::none:
      return "none";
    case Gain::Model::amdahl:
      return "amdahl";
    case Gain::Model::differential:
      return "differential";
    case Gain::Model::pipeline:
      return "pipeline";
    case Gain::Model::roofline:
      return "roofline";
    case Gain::Model::critical_path:
      return "critical-path";
    case Gain::Model::imbalance:
      return "imbalance";
    case Gain::Model::measured:
      return "measured";
  }
  return "";
}

bool takes_share(Gain::Model model) {
  return model == Gain::Model::amdahl || model == Gain::Model::critical_path;
}

}  // namespace tune::rule
