#include "expression/expression.h"

#include "base/assert.h"
#include "base/error.h"
#include "expression/tree.h"

#include <algorithm>

namespace tune::expression {

Expression::Expression(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}

const Tree& Expression::tree() const {
  TUNE_ASSERT(tree_ != nullptr);
  return *tree_;
}

const std::string& Expression::text() const {
  return tree().text;
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  for (const Node& node : tree().nodes) {
    if (!node.name.empty() && std::find(names.begin(), names.end(), node.name) == names.end()) {
      names.push_back(node.name);
    }
  }
  return names;
}

Expression parse_expression(const std::string& text, const Place& place) {
  std::vector<Complaint> complaints;
  const auto expression = parse_expression(text, complaints);
  if (!expression) {
    const Complaint& first = complaints.front();
    const auto column = place.column + static_cast<std::int64_t>(first.offset);
    throw Error(
        Error::Parts{place.file + ":" + std::to_string(place.line) + ":" + std::to_string(column),
                     first.problem,
                     first.why,
                     first.suggestion});
  }
  return *expression;
}

}  // namespace tune::expression
