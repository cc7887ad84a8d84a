#include "advice/finding.h"

#include "expression/tree.h"

#include <algorithm>

namespace tune::advice {

namespace {

using expression::Node;
using expression::Operation;
using rule::FactTable;
using rule::Rule;
using rule::Severity;
using rule::State;

constexpr double kHighGain = 0.10, kMediumGain = 0.03, kLowGain = 0.005;
constexpr std::int64_t kManySteps = 20;
constexpr const char* kLimitPrefix = "limit.";

bool is_comparison(Operation operation) {
  return operation >= Operation::less && operation <= Operation::not_equal;
}

// The limit that a name is compared with, by itself: null when it is compared with none.
const rule::Limit* limit_of(const Rule& rule, const std::string& name) {
  const auto& nodes = rule.when.tree().nodes;
  for (const Node& node : nodes) {
    if (!is_comparison(node.operation)) {
      continue;
    }
    const Node& left = nodes[node.operands[0]];
    const Node& right = nodes[node.operands[1]];
    for (const auto& [fact, limit] : {std::pair(&left, &right), std::pair(&right, &left)}) {
      if (fact->operation == Operation::name && fact->name == name &&
          limit->operation == Operation::name && limit->name.starts_with(kLimitPrefix)) {
        return rule.find_limit(limit->name.substr(std::string(kLimitPrefix).size()));
      }
    }
  }
  return nullptr;
}

std::vector<Evidence> evidence_of(const Rule& rule, const FactTable& facts) {
  std::vector<Evidence> list;
  list.reserve(rule.evidence.size());
  for (const std::string& name : rule.evidence) {
    Evidence evidence{.name = name, .value = facts.value(name)};
    if (const rule::Limit* const limit = limit_of(rule, name)) {
      evidence.limit = limit->text;
      evidence.limit_source = limit->source;
    }
    if (const rule::Fact* const fact = facts.find(name)) {
      evidence.source = fact->source;
      evidence.window = fact->window;
      evidence.examples = fact->examples;
    }
    list.push_back(std::move(evidence));
  }
  return list;
}

// Of the facts that were looked at: what limits how far they carry.
std::vector<std::string> labels_of(const Rule& rule, const FactTable& facts) {
  std::vector<std::string> labels;
  for (const std::string& name : rule.needs) {
    const rule::Fact* const fact = facts.find(name);
    if (fact == nullptr) {
      continue;
    }
    for (const std::string& warning : fact->warnings) {
      const bool is_of_value = warning == "no-rows";  // a zero of what was not there is a fact
      if (!is_of_value && std::find(labels.begin(), labels.end(), warning) == labels.end()) {
        labels.push_back(warning);
      }
    }
  }
  return labels;
}

Confidence confidence_of(const std::vector<std::string>& labels, const FactTable& facts) {
  if (std::find(labels.begin(), labels.end(), "one-step") != labels.end()) {
    return Confidence::low;
  }
  return facts.step_count < kManySteps ? Confidence::medium : Confidence::high;
}

// The first level that holds; one whose condition is not known does not.
Severity stated_severity(const Rule& rule, const FactTable& facts) {
  for (const rule::Grade& grade : rule.grades) {
    if (grade.when && is_true(rule, facts, *grade.when)) {
      return grade.level;
    }
  }
  return rule.severity;
}

void weigh(Finding& finding, const FactTable& facts) {
  finding.severity = stated_severity(*finding.rule, facts);
  if (finding.severity != Severity::from_gain) {
    return;
  }
  if (!finding.gain.is_known()) {
    finding.severity = Severity::info;  // what it is worth cannot be said
    return;
  }
  const auto severity = severity_of_gain(*finding.gain.upper);
  if (severity) {
    finding.severity = *severity;
    return;
  }
  finding.state = State::quiet;
  finding.severity = Severity::info;
  finding.reason = "the predicted gain is below 0.5 %";
}

}  // namespace

const char* to_text(Confidence confidence) {
  return confidence == Confidence::low      ? "low"
         : confidence == Confidence::medium ? "medium"
                                            : "high";
}

std::optional<Severity> severity_of_gain(double upper) {
  if (!(upper >= kLowGain)) {
    return std::nullopt;
  }
  return upper >= kHighGain     ? Severity::high
         : upper >= kMediumGain ? Severity::medium
                                : Severity::low;
}

Finding find(const Rule& rule, const FactTable& facts) {
  rule::Evaluation evaluation = evaluate_rule(rule, facts);
  Finding finding;
  finding.rule = &rule;
  finding.state = evaluation.state;
  finding.reason = std::move(evaluation.reason);
  finding.needs_a_run = evaluation.needs_a_run;
  finding.text = std::move(evaluation.text);
  finding.parts = std::move(evaluation.parts);
  finding.evidence = evidence_of(rule, facts);
  if (finding.has_fired()) {
    finding.labels = labels_of(rule, facts);
    finding.confidence = confidence_of(finding.labels, facts);
    finding.gain = predict_gain(rule, facts);
    weigh(finding, facts);
  }
  return finding;
}

Finding::Finding() = default;
Finding::Finding(const Finding&) = default;
Finding::Finding(Finding&&) noexcept = default;
Finding& Finding::operator=(const Finding&) = default;
Finding& Finding::operator=(Finding&&) noexcept = default;
Finding::~Finding() = default;

}  // namespace tune::advice
