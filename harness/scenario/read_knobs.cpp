#include "scenario/machine_names.h"
#include "scenario/read_knob_value.h"
#include "scenario/read_sections.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <optional>

namespace tune::scenario {

namespace {

bool is_map(const YamlNode* node) {
  return node != nullptr && node->kind == YamlNode::Kind::map;
}

}  // namespace

void read_baseline(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  scenario.baseline = trial::default_settings();
  const YamlNode* const section = root.find("baseline");
  if (!is_map(section)) {
    return;
  }
  for (std::size_t i = 0; i < section->keys.size(); ++i) {
    const trial::Knob* const knob = trial::find_knob(section->keys[i].name);
    const auto value =
        knob == nullptr ? std::nullopt : read_knob_value(*knob, section->items[i], complaints);
    if (value) {
      scenario.baseline[knob->name] = *value;
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
    if (knob == nullptr || section->items[i].kind != YamlNode::Kind::list) {
      continue;
    }
    std::vector<trial::KnobValue> axis;
    for (const YamlNode& item : section->items[i].items) {
      const auto value = read_knob_value(*knob, item, complaints);
      if (value && std::find(axis.begin(), axis.end(), *value) != axis.end()) {
        complaints.add(item.mark,
                       quote("grid." + knob->name) + " holds " + quote(item.text) + " twice");
      } else if (value) {
        axis.push_back(*value);
      }
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
        parsed ? expression::check_expression(*parsed, forbid_names(), found) : std::nullopt;
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

}  // namespace tune::scenario
