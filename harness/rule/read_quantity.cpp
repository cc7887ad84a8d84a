#include "rule/read_quantity.h"

#include "expression/expression.h"

#include <vector>

namespace tune::rule {

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
