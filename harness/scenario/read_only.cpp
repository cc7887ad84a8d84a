#include "scenario/read_only.h"

#include "base/error.h"
#include "scenario/machine_names.h"

#include <vector>

namespace tune::scenario {

Forbid read_only(const std::string& text, const trial::KnobSettings& settings) {
  std::vector<expression::Complaint> found;
  const auto parsed = expression::parse_expression(text, found);
  const auto type =
      parsed ? expression::check_expression(*parsed, forbid_names(settings), found) : std::nullopt;
  if (type && type->kind != expression::Type::Kind::boolean) {
    found.push_back({0, "must be true or false", "this is " + to_text(*type), ""});
  }
  if (!found.empty()) {
    const expression::Complaint& first = found.front();
    throw Error(Error::Parts{"--only '" + text + "'", first.problem, first.why, first.suggestion});
  }
  return {text, *parsed};
}

}  // namespace tune::scenario
