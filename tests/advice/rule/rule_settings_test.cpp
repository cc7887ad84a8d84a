#include "advice/rule/rule_settings.h"

#include "base/error.h"
#include "sample_rule.h"

#include <gtest/gtest.h>

namespace tune::rule {
namespace {

using scenario::RuleSetting;

Catalog two_rules() {
  return read_catalog(
      {{"rules/fast.yaml", short_rule("fast")}, {"rules/slow.yaml", short_rule("slow")}});
}

std::string complaints(const std::vector<RuleSetting>& settings) {
  Catalog catalog = two_rules();
  try {
    apply_settings(settings, "s.yaml", catalog);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(RuleSettings, SwitchRulesOffAndReplaceLimits) {
  Catalog catalog = two_rules();
  apply_settings({{.id = "fast", .is_off = true},
                  {.id = "slow", .limits = {{.name = "wait", .text = "8%", .mark = {}}}}},
                 "s.yaml",
                 catalog);
  ASSERT_EQ(catalog.rules.size(), 1U);
  EXPECT_EQ(catalog.rules[0].limits[0].value, expression::Value::of(0.08));
  EXPECT_EQ(catalog.rules[0].limits[0].text, "8%");
  EXPECT_EQ(catalog.rules[0].limits[0].source, "the scenario");
}

TEST(RuleSettings, RefuseWhatDoesNotExistOrHasAnotherUnit) {
  EXPECT_EQ(complaints({{.id = "slw", .mark = {3, 9}}}),
            "s.yaml:3:9: there is no rule 'slw' (rules are listed by 'tune rules list') slow?");
  EXPECT_EQ(complaints({{.id = "slow", .limits = {{.name = "wat", .text = "8%", .mark = {4, 2}}}}}),
            "s.yaml:4:2: rule 'slow' has no limit 'wat' (its limits: wait) wait?");
  EXPECT_EQ(
      complaints({{.id = "slow", .limits = {{.name = "wait", .text = "8ms", .mark = {4, 2}}}}}),
      "s.yaml:4:2: limit 'wait' of rule 'slow' must be number such as 5% ('8ms' is time)");
  EXPECT_EQ(
      complaints({{.id = "slow", .limits = {{.name = "wait", .text = "x", .mark = {4, 2}}}}}),
      "s.yaml:4:2: limit 'wait' of rule 'slow' must be number such as 5% ('x' is not a quantity)");
}

}  // namespace
}  // namespace tune::rule
