#include "trial/environment_knob.h"

#include "sample_trial.h"
#include "trial/script.h"
#include "trial/trial_spec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace tune::trial {
namespace {

const KnobSettings kSettings = {{"batch_size", std::int64_t{32}},
                                {"environment.OMP_PROC_BIND", std::string("close")},
                                {"environment.KMP_BLOCKTIME", std::string("none")},
                                {"plugin.width", std::int64_t{8}}};

TEST(EnvironmentKnob, IsNamedAfterAVariableOfPosix) {
  EXPECT_TRUE(is_environment_knob("environment.OMP_PROC_BIND"));
  EXPECT_TRUE(is_environment_knob("environment._x9"));
  for (const char* const wrong :
       {"environment.", "environment.9A", "environment.A-B", "environment.A=B", "OMP_PROC_BIND"}) {
    EXPECT_FALSE(is_environment_knob(wrong)) << wrong;
  }
  EXPECT_FALSE(is_environment_knob("environment." + std::string(129, 'A')));
}

TEST(EnvironmentKnob, NoneLeavesTheVariableAsItIs) {
  const std::map<std::string, std::string> expected = {{"OMP_PROC_BIND", "close"}};
  EXPECT_EQ(variables_of(kSettings), expected);
  EXPECT_EQ(environment_knobs(kSettings).size(), 2U);
}

TEST(EnvironmentKnob, IsNotOneOfTheCatalogueNorOfAPlugin) {
  EXPECT_EQ(catalogue_knobs(kSettings).size(), 1U);
  EXPECT_EQ(plugin_knobs(kSettings).size(), 1U);
  EXPECT_TRUE(is_knob("environment.OMP_PROC_BIND"));
  EXPECT_FALSE(is_knob("OMP_PROC_BIND"));
}

TEST(EnvironmentKnob, WhatTuneNeedsItselfCannotBeSet) {
  EXPECT_NE(why_not_set("TUNE_TRIAL"), "");
  EXPECT_NE(why_not_set("PYTHONPATH"), "");
  EXPECT_EQ(why_not_set("LD_PRELOAD"), "");
}

TEST(EnvironmentKnob, SurvivesTheWayThroughTheSpec) {
  TrialSpec spec = sample_spec();
  EXPECT_FALSE(nlohmann::json::parse(to_json(spec)).contains("environment"));
  spec.knobs["environment.LD_PRELOAD"] = std::string("jemalloc");
  EXPECT_EQ(parse_trial_spec(to_json(spec), "spec.json").knobs, spec.knobs);
}

TEST(EnvironmentKnob, AScriptIsChangedByWhatIsSet) {
  Script script;
  script.observed = {{"batch_size", std::int64_t{32}}};
  KnobSettings settings = kSettings;
  settings.erase("plugin.width");
  const KnobSettings changed = changed_settings(script, settings);
  EXPECT_EQ(changed.size(), 1U);
  EXPECT_TRUE(changed.contains("environment.OMP_PROC_BIND"));
}

}  // namespace
}  // namespace tune::trial
