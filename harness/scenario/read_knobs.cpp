#include "scenario/read_knobs.h"

#include "base/error.h"
#include "scenario/machine.h"
#include "scenario/read_script.h"
#include "scenario/read_sections.h"
#include "trial/environment_knob.h"
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

// Any scalar is text: KMP_BLOCKTIME: [0, 1].
std::optional<trial::KnobValue> read_variable(const std::string& name,
                                              const YamlNode& node,
                                              Complaints& complaints) {
  if (complaints.has(node.mark) || !to_knob_value(node)) {
    return std::nullopt;
  }
  const std::string complaint = trial::value_complaint(node.text);
  if (!complaint.empty()) {
    complaints.add(node.mark, quote(name) + " " + complaint);
    return std::nullopt;
  }
  return node.text;
}

// The variable, or nothing and a complaint where a trial cannot be given it.
std::optional<std::string> environment_knob(const std::string& section,
                                            const std::string& variable,
                                            const Mark& mark,
                                            Complaints& complaints) {
  std::string knob = std::string(trial::kEnvironmentKnob) + variable;
  const std::string named = quote(section + "." + knob);
  if (!trial::is_environment_knob(knob)) {
    complaints.add(mark, named + " does not name a variable", "letters, digits and _");
    return std::nullopt;
  }
  if (const std::string why = trial::why_not_set(variable); !why.empty()) {
    complaints.add(mark, named + " cannot be set", why);
    return std::nullopt;
  }
  return knob;
}

// Calls `read` with each variable of `section`, whether it is written as
// `environment: {NAME: ...}` or as `environment.NAME: ...`.
template <class Read>
void for_each_variable(const char* name,
                       const YamlNode& section,
                       Complaints& complaints,
                       Read read) {
  const auto read_one = [&](const std::string& variable, const Mark& mark, const YamlNode& node) {
    if (const auto knob = environment_knob(name, variable, mark, complaints)) {
      read(*knob, mark, node);
    }
  };
  for (std::size_t i = 0; i < section.keys.size(); ++i) {
    const YamlKey& key = section.keys[i];
    const YamlNode& node = section.items[i];
    if (key.name == "environment" && node.kind == YamlNode::Kind::map) {
      for (std::size_t k = 0; k < node.keys.size(); ++k) {
        read_one(node.keys[k].name, node.keys[k].mark, node.items[k]);
      }
    } else if (key.name.starts_with(trial::kEnvironmentKnob)) {
      read_one(key.name.substr(trial::kEnvironmentKnob.size()), key.mark, node);
    }
  }
}

void read_variables_of_baseline(const YamlNode& section,
                                Scenario& scenario,
                                Complaints& complaints) {
  const auto read_one = [&](const std::string& knob, const Mark& mark, const YamlNode& node) {
    const auto value = read_variable(knob, node, complaints);
    if (value && !scenario.baseline.emplace(knob, *value).second) {
      complaints.add(mark, quote("baseline." + knob) + " is written twice");
    }
  };
  for_each_variable("baseline", section, complaints, read_one);
}

void complain_without_script(const std::string& section,
                             const YamlKey& key,
                             Complaints& complaints) {
  complaints.add(key.mark,
                 quote(section + "." + key.name) + " is a knob of scripts",
                 "'workload.command' names none");
}

// One value of an axis; nothing, and a complaint, where it exists already.
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

// A variable that the baseline does not set is as the shell has it there.
void read_variables_of_grid(const YamlNode& section, Scenario& scenario, Complaints& complaints) {
  const auto read_one = [&](const std::string& knob, const Mark& mark, const YamlNode& node) {
    std::vector<trial::KnobValue> axis;
    for (const YamlNode& item : node.items) {
      add_value(knob, item, read_variable(knob, item, complaints), axis, complaints);
    }
    const bool is_twice = std::any_of(scenario.grid.begin(),
                                      scenario.grid.end(),
                                      [&](const auto& other) { return other.first == knob; });
    if (is_twice) {
      complaints.add(mark, quote("grid." + knob) + " is written twice");
      return;
    }
    scenario.baseline.emplace(knob, std::string(trial::kVariableAsItIs));
    scenario.grid.emplace_back(knob, std::move(axis));
  };
  for_each_variable("grid", section, complaints, read_one);
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
  read_variables_of_baseline(*section, scenario, complaints);
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
  read_variables_of_grid(*section, scenario, complaints);
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
