#include "rule/metric_unit.h"

#include <array>

namespace tune::rule {

namespace {

struct Unit {
  std::string_view name;
  expression::Dimension dimension;
};

constexpr std::array<Unit, 5> kUnits = {{{"s", {.time = 1}},
                                         {"B", {.bytes = 1}},
                                         {"B/s", {.time = -1, .bytes = 1}},
                                         {"1/s", {.time = -1}},
                                         {"degC", {.temperature = 1}}}};

}  // namespace

expression::Dimension dimension_of_unit(std::string_view unit) {
  for (const Unit& known : kUnits) {
    if (known.name == unit) {
      return known.dimension;
    }
  }
  return {.time = unit.ends_with("/s") ? -1 : 0};
}

std::string_view unit_of_dimension(const expression::Dimension& dimension) {
  for (const Unit& known : kUnits) {
    if (known.dimension == dimension) {
      return known.name;
    }
  }
  return "";
}

}  // namespace tune::rule
