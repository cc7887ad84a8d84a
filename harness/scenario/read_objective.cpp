#include "base/did_you_mean.h"
#include "base/units.h"
#include "scenario/read_sections.h"
#include "scenario/section.h"

#include <array>
#include <string_view>

namespace tune::scenario {

namespace {

enum class Unit { rate, seconds, bytes, ratio };

struct LimitedMetric {
  const char* name;
  Unit unit;
  const char* example;
};

constexpr std::array<LimitedMetric, 5> kMetrics = {{
    {"throughput", Unit::rate, "min: 120 (samples per second)"},
    {"step_time", Unit::seconds, "max: 250ms"},
    {"epoch_time", Unit::seconds, "max: 10m"},
    {"peak_memory_bytes", Unit::bytes, "max: 4GiB"},
    {"peak_memory_ratio", Unit::ratio, "max: 90%"},
}};

const LimitedMetric* find_metric(std::string_view name) {
  for (const LimitedMetric& metric : kMetrics) {
    if (name == metric.name) {
      return &metric;
    }
  }
  return nullptr;
}

std::optional<double> parse_limit(const YamlNode& node, Unit unit) {
  if (node.kind == YamlNode::Kind::whole || node.kind == YamlNode::Kind::real) {
    const double value =
        node.kind == YamlNode::Kind::real ? node.real : static_cast<double>(node.whole);
    return unit == Unit::seconds ? std::nullopt : std::optional(value);
  }
  if (unit == Unit::seconds) {
    const auto ns = parse_time_ns(node.text);
    return ns ? std::optional(static_cast<double>(*ns) * 1e-9) : std::nullopt;
  }
  if (unit == Unit::bytes) {
    const auto bytes = parse_bytes(node.text);
    return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
  }
  return unit == Unit::ratio ? parse_ratio(node.text) : std::nullopt;
}

// Nothing when it is not written, or is no limit of that metric.
std::optional<double> read_limit(const YamlNode* node,
                                 const LimitedMetric& metric,
                                 Complaints& complaints) {
  if (node == nullptr) {
    return std::nullopt;
  }
  const auto value = parse_limit(*node, metric.unit);
  if (!(value && *value >= 0) && !complaints.has(node->mark)) {
    complaints.add(node->mark,
                   quote(node->text) + " is no limit of " + metric.name,
                   metric.unit == Unit::seconds ? "the unit is mandatory" : "",
                   metric.example);
  }
  return value;
}

std::string text_of(const YamlNode* node) {
  return node == nullptr ? "" : node->text;
}

void complain_about_metric(const YamlKey& key, Complaints& complaints) {
  std::vector<std::string> names;
  std::string all;
  for (const LimitedMetric& metric : kMetrics) {
    names.emplace_back(metric.name);
    all += (all.empty() ? "" : ", ") + std::string(metric.name);
  }
  complaints.add(key.mark,
                 "unknown metric " + quote(key.name),
                 "known are " + all,
                 did_you_mean(key.name, names));
}

}  // namespace

void read_objective(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "objective", complaints);
  scenario.objective.is_minimized = section.find("minimize") != nullptr;
  section.read(scenario.objective.is_minimized ? "minimize" : "maximize",
               scenario.objective.metric);
}

void read_constraints(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const YamlNode* const section = root.find("constraints");
  if (section == nullptr || section->kind != YamlNode::Kind::map) {
    return;
  }
  for (std::size_t i = 0; i < section->keys.size(); ++i) {
    const LimitedMetric* const metric = find_metric(section->keys[i].name);
    if (metric == nullptr) {
      complain_about_metric(section->keys[i], complaints);
      continue;
    }
    Constraint constraint;
    constraint.metric = metric->name;
    const YamlNode& limits = section->items[i];
    constraint.min = read_limit(limits.find("min"), *metric, complaints);
    constraint.min_text = text_of(limits.find("min"));
    constraint.max = read_limit(limits.find("max"), *metric, complaints);
    constraint.max_text = text_of(limits.find("max"));
    if (constraint.min && constraint.max && *constraint.min > *constraint.max) {
      complaints.add(section->keys[i].mark, "no cell can keep both", "min is above max", "");
    }
    scenario.constraints.push_back(std::move(constraint));
  }
}

}  // namespace tune::scenario
