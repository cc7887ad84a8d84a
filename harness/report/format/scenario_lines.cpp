#include "report/format/scenario_lines.h"

#include "base/error.h"
#include "scenario/complaints.h"
#include "scenario/read_yaml.h"
#include "scenario/yaml_node.h"

#include <cstddef>

namespace tune::report {

namespace {

using scenario::YamlNode;

using Lines = std::map<std::string, std::int64_t, std::less<>>;

void add_map(const YamlNode& map, const std::string& prefix, Lines& lines) {
  for (std::size_t i = 0; i < map.keys.size() && i < map.items.size(); ++i) {
    const std::string place = prefix + map.keys[i].name;
    lines.emplace(place, map.keys[i].mark.line);
    const YamlNode& value = map.items[i];
    if (value.kind == YamlNode::Kind::list) {
      for (const YamlNode& item : value.items) {
        lines.emplace(place + "." + item.text, item.mark.line);
      }
    } else if (prefix.empty()) {  // sections, no deeper
      add_map(value, place + ".", lines);
    }
  }
}

}  // namespace

ScenarioLines::ScenarioLines(const std::string& text) {
  try {
    scenario::Complaints complaints("scenario");
    add_map(scenario::read_yaml(text, complaints), "", lines_);
  } catch (const Error&) {
    lines_.clear();  // a stored text may be anything; a remark without its line is still one
  }
}

std::int64_t ScenarioLines::first_of(std::initializer_list<std::string> places) const {
  for (const std::string& place : places) {
    const auto found = lines_.find(place);
    if (found != lines_.end()) {
      return found->second;
    }
  }
  return 1;
}

std::int64_t ScenarioLines::of_baseline(const std::string& knob) const {
  return first_of({"baseline." + knob, "grid." + knob, "baseline", "name"});
}

std::int64_t ScenarioLines::of_grid(const std::string& knob) const {
  return first_of({"grid." + knob, "grid", "baseline", "name"});
}

std::int64_t ScenarioLines::of_gate(const std::string& metric) const {
  return first_of({"gate.metrics." + metric, "gate.metrics", "gate", "name"});
}

std::int64_t ScenarioLines::of_name() const {
  return first_of({"name"});
}

}  // namespace tune::report
