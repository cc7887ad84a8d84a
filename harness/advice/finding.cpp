#include "advice/finding.h"

#include "base/expression/tree.h"
#include "base/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

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

// What limits how far the facts that were read carry.
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

namespace {

// "10.4 %": as shares are written everywhere.
std::string percentage(double ratio) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", ratio * 100);
  return text.data();
}

// As reports write the same number in their tables.
std::string number_in_words(const expression::Number& number) {
  constexpr double kWhole = 1000;  // from here on without digits behind the point
  if (number.dimension == expression::Dimension{.time = 1}) {
    return format_seconds(number.value);
  }
  if (number.dimension == expression::Dimension{.bytes = 1}) {
    return format_bytes(std::llround(number.value));
  }
  if (number.dimension != expression::Dimension{}) {
    return expression::to_readable_text({number});
  }
  if (std::fabs(number.value) >= kWhole) {
    return std::to_string(std::llround(number.value));
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", number.value);
  return text.data();
}

// Nothing where a value is not known, or a condition does not hold.
std::optional<std::string> slot_text(const rule::Slot& slot, const FactTable& facts) {
  const expression::Result result = facts.value(slot.name);
  const auto* const value = std::get_if<expression::Value>(&result);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (slot.is_condition) {
    const auto* const flag = std::get_if<bool>(&value->data);
    return flag != nullptr && *flag ? std::optional(std::string()) : std::nullopt;
  }
  if (const auto* const word = std::get_if<std::string>(&value->data)) {
    return *word;
  }
  const auto* const number = std::get_if<expression::Number>(&value->data);
  if (slot.is_percentage && number != nullptr) {
    return percentage(number->value);
  }
  return number != nullptr ? number_in_words(*number) : expression::to_readable_text(*value);
}

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";

// "numbers" -> "number", "copies" -> "copy", "processes" -> "process"; other words as they are.
std::string in_singular(std::string_view word) {
  if (word.ends_with("ies")) {
    return std::string(word.substr(0, word.size() - 3)) + "y";
  }
  if (word.ends_with("sses")) {
    return std::string(word.substr(0, word.size() - 2));
  }
  constexpr std::size_t kLongestVerb = 3;  // is, has, was
  const bool is_plural = word.size() > kLongestVerb && word.ends_with("s") && !word.ends_with("ss");
  return std::string(word.substr(0, word.size() - (is_plural ? 1 : 0)));
}

// Sentences count several. Of one: " times a step" -> "once a step", " small reads" -> "1 small
// read"; takes what it has put into words from `rest`.
std::string one_of(std::string_view& rest) {
  for (const auto& [several, one] :
       {std::pair<std::string_view, std::string_view>{" times as", "1 times as"},
        {" times", "once"},
        {" more times", "once more"}}) {
    if (rest.starts_with(several)) {
      rest.remove_prefix(several.size());
      return std::string(one);
    }
  }
  std::string text = "1";
  for (int words = 0; words < 2 && rest.starts_with(" "); ++words) {  // an adjective, and the noun
    const std::size_t end = std::min(rest.find_first_not_of(kLetters, 1), rest.size());
    const std::string_view several = rest.substr(1, end - 1);
    const std::string one = in_singular(several);
    text += " " + one;
    rest.remove_prefix(end);
    if (one != several) {
      break;
    }
  }
  return text;
}

std::optional<std::string> filled(const std::string& sentence, const FactTable& facts) {
  std::string text;
  std::string_view rest = sentence;
  for (const rule::Slot& slot : rule::slots_in(sentence)) {
    const auto value = slot_text(slot, facts);
    if (!value) {
      return std::nullopt;
    }
    const std::size_t copied = sentence.size() - rest.size();
    text.append(rest.substr(0, slot.begin - copied));
    rest.remove_prefix(slot.begin + slot.size - copied);
    text += *value == "1" ? one_of(rest) : *value;
  }
  return text.append(rest);
}

std::string because_of(const Rule& rule, const FactTable& facts) {
  for (const rule::Sentence& reason : rule.because) {
    if (reason.when && !is_true(rule, facts, *reason.when)) {
      continue;
    }
    if (auto text = filled(reason.words, facts)) {
      return *std::move(text);
    }
  }
  return "";
}

}  // namespace

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
    finding.because = because_of(rule, facts);
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

namespace {

using rule::Group;

// Who mutes whom; `mutes` has no circles, which the catalogue has checked.
class Muting {
 public:
  explicit Muting(const std::vector<Finding>& findings) : findings_(findings) {
    muted_by_.resize(findings.size(), kNotAsked);
    std::map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      index.emplace(findings[i].rule->id, i);
    }
    muters_.resize(findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
      for (const rule::Related& target : findings[i].rule->mutes) {
        const auto found = index.find(target.id);
        if (found != index.end()) {
          muters_[found->second].push_back(i);
        }
      }
    }
  }

  // The index of the finding that mutes this one, or kNobody. As deep as chains of `mutes` are
  // long.
  std::size_t muted_by(std::size_t finding) {
    if (muted_by_[finding] == kNotAsked) {
      muted_by_[finding] = kNobody;
      for (const std::size_t muter : muters_[finding]) {
        if (is_heard(muter, finding) && muted_by(muter) == kNobody) {
          muted_by_[finding] = muter;
          break;
        }
      }
    }
    return muted_by_[finding];
  }

  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

 private:
  static constexpr std::size_t kNotAsked = static_cast<std::size_t>(-2);

  // What something costs that nobody knows may be nothing: it silences no other kind of cause.
  bool is_heard(std::size_t muter, std::size_t target) const {
    const Finding& finding = findings_[muter];
    const bool is_of_unknown_cost =
        finding.rule->severity == Severity::from_gain && finding.severity == Severity::info;
    return finding.has_fired() && finding.severity != Severity::low &&
           (!is_of_unknown_cost || finding.rule->group == findings_[target].rule->group);
  }

  const std::vector<Finding>& findings_;
  std::vector<std::vector<std::size_t>> muters_;
  std::vector<std::size_t> muted_by_;
};

}  // namespace

void apply_muting(std::vector<Finding>& findings) {
  Muting muting(findings);
  std::vector<std::size_t> muted_by(findings.size(), Muting::kNobody);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    muted_by[i] = muting.muted_by(i);
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    if (!finding.has_fired() || muted_by[i] == Muting::kNobody) {
      continue;
    }
    const rule::Rule& muter = *findings[muted_by[i]].rule;
    const bool is_rejected = muter.group == Group::validity;
    finding.muted_by = muter.id;
    finding.state = is_rejected ? State::not_applicable : State::quiet;
    finding.reason = (is_rejected ? "rejected by " : "muted by ") + muter.id;
    finding.severity = Severity::info;
  }
}

void apply_explanations(std::vector<Finding>& findings) {
  std::map<std::string_view, bool> fired;
  for (const Finding& finding : findings) {
    fired.emplace(finding.rule->id, finding.has_fired());
  }
  for (Finding& finding : findings) {
    if (!finding.has_fired()) {
      continue;
    }
    for (const rule::Related& cause : finding.rule->explained_by) {
      const auto found = fired.find(cause.id);
      if (found != fired.end() && found->second) {
        finding.explained_by.push_back(cause.id);
      }
    }
    if (finding.explained_by.empty() && !finding.rule->explained_by.empty()) {
      finding.labels.emplace_back("unexplained");
    }
    if (finding.explained_by.empty() && finding.rule->gain.is_of_causes) {
      finding.gain = {.model = finding.rule->gain.model,
                      .reason = "none of the rules that could explain it fired"};
    }
  }
}

}  // namespace tune::advice
