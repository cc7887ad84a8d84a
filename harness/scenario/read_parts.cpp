#include "scenario/read_parts.h"

#include "scenario/check_schema.h"
#include "scenario/complaints.h"
#include "scenario/read_yaml.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace tune::scenario {

namespace {

constexpr std::string_view kBuild = "build";

// A word such as `train` is a word, also where a file of that name is next to the scenario.
void add_paths(const YamlNode& node, std::vector<std::string>& paths) {
  if (node.kind == YamlNode::Kind::text && node.text.find_first_of("/.") != std::string::npos) {
    paths.push_back(node.text);
  }
  for (const YamlNode& item : node.items) {
    add_paths(item, paths);
  }
}

}  // namespace

BuildOrder read_build_order(const std::string& text, const std::filesystem::path& file) {
  Complaints complaints(file.string());
  const YamlNode root = read_yaml(text, complaints);
  check_schema(root, complaints);
  complaints.throw_if_any();
  BuildOrder order;
  if (const YamlNode* const workload = root.find("workload")) {
    for (std::size_t i = 0; i < workload->keys.size(); ++i) {
      if (workload->keys[i].name == kBuild) {
        order.command = workload->items[i].text;
      } else {
        add_paths(workload->items[i], order.paths);
      }
    }
  }
  const YamlNode* const data = root.find("data");
  const YamlNode* const path = data == nullptr ? nullptr : data->find("path");
  order.data_path = path == nullptr ? "" : path->text;
  return order;
}

std::vector<RuleSetting> read_rule_settings(const std::string& text, const std::string& file) {
  Complaints complaints(file);
  const YamlNode root = read_yaml(text, complaints);
  check_schema(root, complaints);
  complaints.throw_if_any();
  std::vector<RuleSetting> settings;
  const YamlNode* const section = root.find("rules");
  if (section == nullptr) {
    return settings;
  }
  settings.reserve(section->keys.size());
  for (std::size_t i = 0; i < section->keys.size(); ++i) {
    const YamlNode& node = section->items[i];
    RuleSetting setting{.id = section->keys[i].name, .mark = section->keys[i].mark};
    setting.is_off = node.text == "off";
    if (const YamlNode* const limits = node.find("limits")) {
      for (std::size_t j = 0; j < limits->keys.size(); ++j) {
        const YamlNode& value = limits->items[j];
        setting.limits.push_back({limits->keys[j].name, value.text, value.mark});
      }
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

}  // namespace tune::scenario
