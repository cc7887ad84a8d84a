#pragma once

// Any bytes as a rule file, and as an expression: refused at a place, or evaluated. Anything else
// throws, which ends both a test and libFuzzer.

#include "advice/diagnosis.h"
#include "advice/rule/catalog.h"
#include "advice/rule/known_name.h"
#include "base/error.h"
#include "base/expression/expression.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::fuzz {

[[noreturn]] inline void broken(const std::string& what) {
  throw std::logic_error(what);
}

inline expression::Value some_value(const expression::Type& type) {
  using expression::Type;
  using expression::Value;
  switch (type.kind) {
    case Type::Kind::boolean:
      return Value::of(true);
    case Type::Kind::text:
      return Value::of(type.choices.empty() ? "text" : type.choices.front());
    case Type::Kind::list:
      return Value::of(Value::List{Value::of("text")});
    case Type::Kind::number:
      break;
  }
  return Value::of(0.25, type.dimension);
}

/// Every name that rules may use, with some value.
inline const rule::FactTable& everything() {
  static const rule::FactTable facts = [] {
    rule::FactTable all;
    for (const auto& [name, known] : rule::known_names()) {
      all.set(name, {.result = some_value(known.type), .window = "profile"});
    }
    return all;
  }();
  return facts;
}

/// Whether a complaint begins "<file>:<line>:<column>: ".
inline bool has_place(std::string_view complaint, const std::string& file) {
  if (!complaint.starts_with(file)) {
    return false;
  }
  complaint.remove_prefix(file.size());
  for (int number = 0; number < 2; ++number) {
    if (!complaint.starts_with(':')) {
      return false;
    }
    complaint.remove_prefix(1);
    const auto end = std::find_if_not(complaint.begin(), complaint.end(), [](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
    if (end == complaint.begin()) {
      return false;
    }
    complaint.remove_prefix(static_cast<std::size_t>(end - complaint.begin()));
  }
  return complaint.starts_with(": ");
}

/// True when it is a rule; then it was evaluated with nothing known and with everything known.
inline bool take_in_rule(const rule::RuleFile& file) {
  rule::Catalog catalog;
  try {
    catalog = rule::read_catalog({file});
  } catch (const Error& error) {
    if (!has_place(error.what(), file.name)) {
      broken(std::string("a complaint without its place: ") + error.what());
    }
    return false;
  }
  if (catalog.rules.size() != 1) {
    broken("not one rule of one file");
  }
  for (const rule::FactTable& facts : {rule::FactTable(), everything()}) {
    if (advice::diagnose(catalog, facts).findings.size() != 1) {
      broken("not one finding of one rule");
    }
  }
  return true;
}

/// The file name that matches a rule, "rules/<its id>.yaml": changed ids must not hide the rest.
inline rule::RuleFile named_after_its_id(std::string text) {
  constexpr std::string_view kKey = "id: ";
  std::string id = "rule";
  const std::size_t key = text.starts_with(kKey) ? 0 : text.find("\nid: ");
  if (key != std::string::npos) {
    const std::size_t begin = text.find(' ', key) + 1;
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", begin);
    id = text.substr(begin, end == std::string::npos ? end : end - begin);
  }
  return {"rules/" + (id.empty() ? "rule" : id) + ".yaml", std::move(text)};
}

/// True when it has a type; then it was evaluated with nothing known and with everything known.
inline bool take_in_expression(const std::string& text) {
  static const expression::NameTypes types = [] {
    expression::NameTypes all;
    for (const auto& [name, known] : rule::known_names()) {
      all.emplace(name, known.type);
    }
    return all;
  }();
  std::vector<expression::Complaint> complaints;
  const auto parsed = parse_expression(text, complaints);
  const auto type = parsed ? check_expression(*parsed, types, complaints) : std::nullopt;
  if (type.has_value() != complaints.empty()) {
    broken("refused without a complaint, or complained about without being refused: " + text);
  }
  for (const expression::Complaint& complaint : complaints) {
    if (complaint.offset > text.size() || complaint.problem.empty()) {
      broken("a complaint without its place: " + text);
    }
  }
  if (!type) {
    return false;
  }
  const auto known =
      evaluate(*parsed, [](const std::string& name) { return everything().value(name); });
  const auto* const value = std::get_if<expression::Value>(&known);
  if (value != nullptr && type_of(*value).kind != type->kind) {
    broken("a value of another type than the expression: " + text);
  }
  (void)evaluate(*parsed, [](const std::string& name) {
    return expression::Result(expression::Unknown{name + " is not known"});
  });
  return true;
}

}  // namespace tune::fuzz
