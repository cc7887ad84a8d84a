#include "scenario/rule_setting.h"

#include "scenario/check_schema.h"
#include "scenario/read_yaml.h"

#include <utility>

namespace tune::scenario {

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
