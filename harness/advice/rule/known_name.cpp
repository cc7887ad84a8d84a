#include "advice/rule/known_name.h"

#include "advice/rule/further_names.h"
#include "base/assert.h"
#include "scenario/machine.h"
#include "trace/metric/trace_metrics.h"
#include "trial/knob_catalog.h"

#include <array>

namespace tune::rule {

namespace {

using Names = std::map<std::string, KnownName, std::less<>>;

// A trace without rows has every metric too, each with its unit and why it has no value.
void add_metrics(Names& names) {
  const profile::Timeline nothing;
  for (const metric::Metric& metric : metric::trace_metrics(metric::examine(nothing))) {
    const expression::Type type{.kind = expression::Type::Kind::number,
                                .dimension = dimension_of_unit(metric.unit)};
    names.emplace(metric.id, KnownName{type, Origin::trace});
  }
}

void add_settings(Names& names) {
  for (const auto& [name, type] : scenario::forbid_names()) {
    const Origin origin = trial::find_knob(name) != nullptr ? Origin::knob : Origin::machine;
    const bool is_new = names.emplace(name, KnownName{type, origin}).second;
    TUNE_ASSERT(is_new);  // one namespace: a metric must not hide a knob
  }
}

Names make_names() {
  Names names;
  add_metrics(names);
  add_settings(names);
  for (const FurtherName& further : further_names()) {
    names.emplace(further.name, further.known);  // what a trace or a setting gives comes first
  }
  return names;
}

}  // namespace

const Names& known_names() {
  static const Names names = make_names();
  return names;
}

const KnownName* find_known_name(std::string_view name) {
  const auto found = known_names().find(name);
  return found == known_names().end() ? nullptr : &found->second;
}

const char* why_missing(Origin origin) {
  switch (origin) {
    case Origin::trace:
      return "no trace says it";
    case Origin::knob:
      return "a trace does not say how it was set";
    case Origin::machine:
      return "a trace does not describe the machine it comes from";
    case Origin::trial:
      return "only a run measures it";
    case Origin::telemetry:
      return "it is sampled while a run measures";
    case Origin::probe:
      return "it needs calibrations, or runs with other data, on the machine itself";
    case Origin::history:
      return "it needs earlier runs or a baseline";
    case Origin::ranks:
      return "it needs the traces of several ranks";
    case Origin::nothing:
      return "nothing measures it yet";
  }
  return "";
}

bool needs_a_run(Origin origin) {
  return origin != Origin::trace && origin != Origin::ranks && origin != Origin::nothing;
}

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
