#include "advice/rule/fact_table.h"

#include "advice/rule/further_names.h"
#include "advice/rule/known_name.h"
#include "base/assert.h"
#include "base/expression/value.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::rule {

using expression::Result;
using expression::Type;
using expression::Unknown;
using expression::Value;

std::string complaint_about(const Type& type, const Value& value) {
  const Type found = type_of(value);
  const bool is_empty_list =
      found.kind == Type::Kind::list && found.element.empty() && type.kind == Type::Kind::list;
  if (!found.same_as(type) && !is_empty_list) {
    return "is " + to_text(found) + ", not " + to_text(type);
  }
  if (const auto* const number = std::get_if<expression::Number>(&value.data)) {
    return std::isfinite(number->value) ? "" : "is not a finite number";
  }
  const auto* const word = std::get_if<std::string>(&value.data);
  const bool is_choice =
      word == nullptr || type.choices.empty() ||
      std::find(type.choices.begin(), type.choices.end(), *word) != type.choices.end();
  return is_choice ? "" : "is " + to_readable_text(value) + ", which it never is";
}

void FactTable::set(const std::string& name, Fact fact) {
  const KnownName* const known = find_known_name(name);
  TUNE_ASSERT(known != nullptr);
  if (const auto* const value = std::get_if<Value>(&fact.result)) {
    const std::string complaint = complaint_about(known->type, *value);
    if (!complaint.empty()) {
      fact.result = Unknown{"what was recorded " + complaint};
    }
  }
  facts_.insert_or_assign(name, std::move(fact));
}

const Fact* FactTable::find(std::string_view name) const {
  const auto found = facts_.find(name);
  return found == facts_.end() ? nullptr : &found->second;
}

Result FactTable::value(const std::string& name) const {
  if (const Fact* const fact = find(name)) {
    return fact->result;
  }
  const KnownName* const known = find_known_name(name);
  if (known == nullptr) {
    return Unknown{"nobody delivers it"};
  }
  if (known->origin == Origin::nothing) {
    return Unknown{why_unmeasured(name)};
  }
  const auto reason = missing_.find(known->origin);
  return Unknown{reason == missing_.end() ? why_missing(known->origin) : reason->second};
}

}  // namespace tune::rule
