#include "advice/rule/rule.h"

#include "base/expression/expression.h"

#include <algorithm>
#include <vector>

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

namespace {

bool begins_name(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_of_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::vector<Slot> slots_in(std::string_view sentence) {
  constexpr std::string_view kPercent = " %";
  std::vector<Slot> slots;
  for (std::size_t begin = sentence.find('{'); begin != std::string_view::npos;
       begin = sentence.find('{', begin + 1)) {
    const std::size_t end = sentence.find('}', begin);
    if (end == std::string_view::npos) {
      break;
    }
    Slot slot{.begin = begin, .size = end + 1 - begin};
    slot.name = sentence.substr(begin + 1, end - begin - 1);
    slot.is_condition = slot.name.starts_with('?');
    slot.name.erase(0, slot.is_condition ? 1 : 0);
    slot.is_percentage = sentence.substr(end + 1).starts_with(kPercent);
    slot.size += slot.is_percentage ? kPercent.size() : 0;
    slots.push_back(std::move(slot));
  }
  return slots;
}

std::vector<Placeholder> placeholders_in(std::string_view code) {
  std::vector<Placeholder> found;
  for (std::size_t open = code.find('{'); open != code.npos; open = code.find('{', open + 1)) {
    std::size_t end = open + 1;
    while (end < code.size() && is_of_name(code[end])) {
      ++end;
    }
    const bool is_name = end > open + 1 && begins_name(code[open + 1]);
    if (is_name && end < code.size() && code[end] == '}') {
      found.push_back({open, end + 1 - open, std::string(code.substr(open + 1, end - open - 1))});
    }
  }
  return found;
}

std::optional<expression::Value> read_quantity(const std::string& text) {
  std::vector<expression::Complaint> complaints;
  const auto parsed = expression::parse_expression(text, complaints);
  if (!parsed || !parsed->names().empty()) {
    return std::nullopt;
  }
  const auto type = expression::check_expression(*parsed, {}, complaints);
  if (!type || type->kind != expression::Type::Kind::number) {
    return std::nullopt;
  }
  const expression::Result result = expression::evaluate(
      *parsed,
      [](const std::string& name) -> expression::Result { return expression::Unknown{name}; });
  const auto* const value = std::get_if<expression::Value>(&result);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

}  // namespace tune::rule
