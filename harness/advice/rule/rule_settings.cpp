#include "advice/rule/rule_settings.h"

#include "advice/rule/rule.h"
#include "base/text.h"

#include <algorithm>
#include <utility>

namespace tune::rule {

namespace {

using scenario::Complaints;
using scenario::LimitSetting;
using scenario::quote;
using scenario::RuleSetting;

std::vector<std::string> ids_of(const Catalog& catalog) {
  std::vector<std::string> ids;
  ids.reserve(catalog.rules.size());
  for (const Rule& rule : catalog.rules) {
    ids.push_back(rule.id);
  }
  return ids;
}

void complain_about_limit(const LimitSetting& setting, const Rule& rule, Complaints& complaints) {
  std::vector<std::string> names;
  std::string list;
  names.reserve(rule.limits.size());
  for (const Limit& limit : rule.limits) {
    names.push_back(limit.name);
    list += (list.empty() ? "" : ", ") + limit.name;
  }
  complaints.add(setting.mark,
                 "rule '" + rule.id + "' has no limit " + quote(setting.name),
                 list.empty() ? "it has none" : "its limits: " + list,
                 did_you_mean(setting.name, names));
}

void set_limit(const LimitSetting& setting, Rule& rule, Complaints& complaints) {
  const auto limit = std::find_if(rule.limits.begin(), rule.limits.end(), [&](const Limit& known) {
    return known.name == setting.name;
  });
  if (limit == rule.limits.end()) {
    complain_about_limit(setting, rule, complaints);
    return;
  }
  auto value = read_quantity(setting.text);
  if (!value || !type_of(*value).same_as(type_of(limit->value))) {
    const std::string found = value ? "is " + to_text(type_of(*value)) : "is not a quantity";
    complaints.add(setting.mark,
                   "limit '" + setting.name + "' of rule '" + rule.id + "' must be " +
                       to_text(type_of(limit->value)) + " such as " + limit->text,
                   quote(setting.text) + " " + found);
    return;
  }
  limit->value = std::move(*value);
  limit->text = setting.text;
  limit->source = "the scenario";
}

}  // namespace

void apply_settings(const std::vector<RuleSetting>& settings,
                    const std::string& file,
                    Catalog& catalog) {
  Complaints complaints(file);
  std::vector<std::string> off;
  for (const RuleSetting& setting : settings) {
    const auto rule = std::find_if(catalog.rules.begin(),
                                   catalog.rules.end(),
                                   [&](const Rule& known) { return known.id == setting.id; });
    if (rule == catalog.rules.end()) {
      complaints.add(setting.mark,
                     "there is no rule " + quote(setting.id),
                     "rules are listed by 'tune rules list'",
                     did_you_mean(setting.id, ids_of(catalog)));
      continue;
    }
    if (setting.is_off) {
      off.push_back(setting.id);
    }
    for (const LimitSetting& limit : setting.limits) {
      set_limit(limit, *rule, complaints);
    }
  }
  complaints.throw_if_any();
  std::erase_if(catalog.rules, [&](const Rule& rule) {
    return std::find(off.begin(), off.end(), rule.id) != off.end();
  });
}

}  // namespace tune::rule
