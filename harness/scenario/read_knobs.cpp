#include "scenario/read_knobs.h"

#include "base/error.h"
#include "scenario/machine.h"
#include "scenario/read_script.h"
#include "scenario/read_sections.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::scenario {

std::optional<trial::KnobValue> to_knob_value(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::boolean:
      return node.flag;
    case YamlNode::Kind::whole:
      return node.whole;
    case YamlNode::Kind::real:
      return node.real;
    case YamlNode::Kind::text:
      return node.text;
    case YamlNode::Kind::null:
    case YamlNode::Kind::list:
    case YamlNode::Kind::map:
      break;
  }
  return std::nullopt;
}

// The schema repeats the catalogue for editors; the catalogue decides.
std::optional<trial::KnobValue> read_knob_value(const trial::Knob& knob,
                                                const YamlNode& node,
                                                Complaints& complaints) {
  auto value = to_knob_value(node);
  if (complaints.has(node.mark) || !value) {
    return std::nullopt;
  }
  const std::string complaint = trial::complaint_about(knob, *value);
  if (!complaint.empty()) {
    complaints.add(node.mark, quote(knob.name) + " " + complaint, "is " + quote(node.text));
    return std::nullopt;
  }
  return value;
}

std::optional<trial::KnobValue> read_plugin_value(const std::string& name,
                                                  const YamlNode& node,
                                                  Complaints& complaints) {
  auto value = to_knob_value(node);
  if (complaints.has(node.mark) || !value) {
    return std::nullopt;
  }
  if (std::holds_alternative<double>(*value)) {
    complaints.add(node.mark,
                   quote(name) + " must be true or false, a whole number or a word",
                   "is " + quote(node.text));
    return std::nullopt;
  }
  return value;
}

namespace {

bool is_map(const YamlNode* node) {
  return node != nullptr && node->kind == YamlNode::Kind::map;
}

bool has_plugin(const Scenario& scenario) {
  return scenario.workload.own.kind == trial::OwnModel::Kind::plugin;
}

void complain_without_plugin(const YamlKey& key, Complaints& complaints) {
  complaints.add(
      key.mark, quote(key.name) + " is a knob of a plug-in", "'workload.plugin' names none");
}

void complain_without_script(const std::string& section,
                             const YamlKey& key,
                             Complaints& complaints) {
  complaints.add(key.mark,
                 quote(section + "." + key.name) + " is a knob of scripts",
                 "'workload.command' names none");
}

// One value of an axis; nothing, and a complaint, where it is there already.
void add_value(const std::string& knob,
               const YamlNode& item,
               std::optional<trial::KnobValue> value,
               std::vector<trial::KnobValue>& axis,
               Complaints& complaints) {
  if (value && std::find(axis.begin(), axis.end(), *value) != axis.end()) {
    complaints.add(item.mark, quote("grid." + knob) + " holds " + quote(item.text) + " twice");
  } else if (value) {
    axis.push_back(std::move(*value));
  }
}

// The baseline says what type the knob has, and what other cells are compared with: a default that
// only the plug-in knows would be neither in the plan nor in the report.
void read_plugin_axis(const YamlKey& key,
                      const YamlNode& written,
                      Scenario& scenario,
                      Complaints& complaints) {
  const auto usual = scenario.baseline.find(key.name);
  if (!has_plugin(scenario)) {
    complain_without_plugin(key, complaints);
    return;
  }
  if (usual == scenario.baseline.end()) {
    complaints.add(key.mark,
                   "the baseline has no " + quote(key.name),
                   "what you run today of a knob that is tried",
                   "baseline: {" + key.name + ": ...}");
    return;
  }
  std::vector<trial::KnobValue> axis;
  for (const YamlNode& item : written.items) {
    auto value = read_plugin_value(key.name, item, complaints);
    const std::string problem = value ? trial::type_complaint(usual->second, *value) : "";
    if (!problem.empty()) {
      complaints.add(
          item.mark, quote("grid." + key.name) + " " + problem, "is " + quote(item.text));
      continue;
    }
    add_value(key.name, item, std::move(value), axis, complaints);
  }
  scenario.grid.emplace_back(key.name, std::move(axis));
}

}  // namespace

void read_baseline(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  scenario.baseline = trial::default_settings(scenario.workload.script.exists());
  for (const auto& [knob, value] : scenario.workload.script.observed) {
    scenario.baseline[knob] = value;
  }
  const YamlNode* const section = root.find("baseline");
  if (!is_map(section)) {
    return;
  }
  for (std::size_t i = 0; i < section->keys.size(); ++i) {
    const YamlKey& key = section->keys[i];
    const trial::Knob* const knob = trial::find_knob(key.name);
    std::optional<trial::KnobValue> value;
    if (knob != nullptr && trial::is_script_knob(*knob) && !scenario.workload.script.exists()) {
      complain_without_script("baseline", key, complaints);
    } else if (knob != nullptr) {
      value = read_knob_value(*knob, section->items[i], complaints);
    } else if (trial::is_plugin_knob(key.name) && has_plugin(scenario)) {
      value = read_plugin_value(key.name, section->items[i], complaints);
    } else if (trial::is_plugin_knob(key.name)) {
      complain_without_plugin(key, complaints);
    }
    if (value) {
      scenario.baseline[key.name] = *value;
    }
  }
}

void read_grid(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const YamlNode* const section = root.find("grid");
  if (!is_map(section)) {
    return;
  }
  for (std::size_t i = 0; i < section->keys.size(); ++i) {
    const trial::Knob* const knob = trial::find_knob(section->keys[i].name);
    if (section->items[i].kind != YamlNode::Kind::list) {
      continue;
    }
    if (trial::is_plugin_knob(section->keys[i].name)) {
      read_plugin_axis(section->keys[i], section->items[i], scenario, complaints);
    }
    if (knob == nullptr) {
      continue;
    }
    if (scenario.workload.script.exists()) {
      check_script_axis(section->keys[i], scenario, complaints);
    } else if (trial::is_script_knob(*knob)) {
      complain_without_script("grid", section->keys[i], complaints);
      continue;
    }
    std::vector<trial::KnobValue> axis;
    for (const YamlNode& item : section->items[i].items) {
      add_value(knob->name, item, read_knob_value(*knob, item, complaints), axis, complaints);
    }
    scenario.grid.emplace_back(knob->name, std::move(axis));
  }
}

void read_forbid(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const YamlNode* const section = root.find("forbid");
  if (section == nullptr || section->kind != YamlNode::Kind::list) {
    return;
  }
  for (const YamlNode& item : section->items) {
    if (item.kind != YamlNode::Kind::text || complaints.has(item.mark)) {
      continue;
    }
    std::vector<expression::Complaint> found;
    const auto parsed = expression::parse_expression(item.text, found);
    const auto type =
        parsed ? expression::check_expression(*parsed, forbid_names(scenario.baseline), found)
               : std::nullopt;
    if (type && type->kind != expression::Type::Kind::boolean) {
      found.push_back({0, "a 'forbid' must be true or false", "this is " + to_text(*type), ""});
    }
    for (const expression::Complaint& complaint : found) {
      complaints.add(
          {item.mark.line, item.text_column + static_cast<std::int64_t>(complaint.offset)},
          complaint.problem,
          complaint.why,
          complaint.suggestion);
    }
    if (found.empty()) {
      scenario.forbid.push_back({item.text, *parsed});
    }
  }
}

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
