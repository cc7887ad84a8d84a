#include "measure/campaign/settings.h"

#include "base/error.h"
#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

namespace tune::campaign {

namespace {

scenario::Scenario with(const std::string& assignment) {
  scenario::Scenario scenario;
  scenario.baseline = trial::default_settings();
  apply_override(scenario, assignment);
  return scenario;
}

std::string complaint(const std::string& assignment) {
  try {
    with(assignment);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(Overrides, ChangeKnobsOfEveryKind) {
  EXPECT_EQ(with("num_workers=2").baseline.at("num_workers"), trial::KnobValue(std::int64_t{2}));
  EXPECT_EQ(with("channels_last=true").baseline.at("channels_last"), trial::KnobValue(true));
  EXPECT_EQ(with("amp=bf16").baseline.at("amp"), trial::KnobValue(std::string("bf16")));
  EXPECT_EQ(with("cpu_affinity=0-1").baseline.at("cpu_affinity"),
            trial::KnobValue(std::string("0-1")));
}

TEST(Overrides, ChangeHowItIsMeasured) {
  EXPECT_EQ(with("rounds=5").rounds, 5);
  EXPECT_EQ(with("confirm_rounds=1").confirm_rounds, 1);
  EXPECT_EQ(with("budget=10m").budget_ns, 600'000'000'000);
  EXPECT_EQ(with("slice=200ms").measure.slice_ns, 200'000'000);
  EXPECT_EQ(with("warmup=2s").measure.warmup_ns, 2'000'000'000);
  EXPECT_EQ(with("warmup=2").measure.warmup_steps, 2);
  EXPECT_EQ(with("warmup=2").measure.warmup_ns, 0);
  EXPECT_FALSE(with("warmup=2").warmup_is_auto);
  EXPECT_TRUE(with("warmup=auto").warmup_is_auto);
  EXPECT_TRUE(with("seed=0").has_seed);
  EXPECT_FALSE(with("rounds=5").has_seed);
  EXPECT_EQ(with("seed=18446744073709551615").seed, 18446744073709551615U);
}

TEST(Overrides, NameTheDevice) {
  EXPECT_EQ(with("device=cpu").workload.device, "cpu");
  EXPECT_EQ(with("device=cuda").workload.device, "cuda");
  EXPECT_EQ(complaint("device=tpu"),
            "--set device=tpu: 'tpu' does not fit device (must be auto, cpu or cuda)");
}

TEST(Overrides, SayHowMuchIsVerifiedAndHowWell) {
  EXPECT_DOUBLE_EQ(with("until=1%").confirm_until.value(), 0.01);
  EXPECT_DOUBLE_EQ(with("until=0.005").confirm_until.value(), 0.005);
  scenario::Scenario limited;
  limited.confirm_rounds = 6;
  apply_override(limited, "until=1%");
  EXPECT_FALSE(limited.confirm_rounds) << "six pairs were enough for a verdict";
  for (const char* const wrong : {"until=0%", "until=1", "until=100%", "until=x", "until=-1%"}) {
    EXPECT_NE(complaint(wrong).find("must be above 0 and below 100%"), std::string::npos) << wrong;
  }
  EXPECT_TRUE(with("verify=all").confirms());
  EXPECT_FALSE(with("verify=none").confirms());
  EXPECT_EQ(with("verify=top:3").verify, "top:3");
  for (const char* const wrong : {"verify=top", "verify=3", "verify=top:0", "verify=top:x"}) {
    EXPECT_NE(complaint(wrong), "") << wrong;
  }
}

TEST(Overrides, AskForAPartOfTheGrid) {
  const auto scenario = with("only=num_workers == 2 and amp != 'none'");
  ASSERT_EQ(scenario.only.size(), 1U);
  EXPECT_EQ(scenario.only[0].text, "num_workers == 2 and amp != 'none'");
  EXPECT_NE(complaint("only=num_worker == 2").find("did you mean `num_workers`"),
            std::string::npos);
  EXPECT_NE(complaint("only=num_workers + 2").find("must be true or false"), std::string::npos);
  EXPECT_NE(complaint("only=num_workers ==").find("--only"), std::string::npos);
}

TEST(Overrides, ChangeKnobsOfAPluginThatTheBaselineHas) {
  const auto changed = [](const std::string& assignment) {
    scenario::Scenario scenario;
    scenario.baseline = trial::default_settings();
    scenario.baseline["plugin.width"] = std::int64_t{64};
    scenario.baseline["plugin.act"] = std::string("relu");
    scenario.baseline["plugin.fast"] = false;
    apply_override(scenario, assignment);
    return scenario;
  };
  EXPECT_EQ(changed("plugin.width=128").baseline.at("plugin.width"),
            trial::KnobValue(std::int64_t{128}));
  EXPECT_EQ(changed("plugin.act=true").baseline.at("plugin.act"),
            trial::KnobValue(std::string("true")));
  EXPECT_EQ(changed("plugin.fast=true").baseline.at("plugin.fast"), trial::KnobValue(true));
  const auto axis = changed("grid.plugin.width=32").grid;
  ASSERT_EQ(axis.size(), 1U);
  EXPECT_EQ(axis[0].second, std::vector<trial::KnobValue>{std::int64_t{32}});
  EXPECT_EQ(changed("only=plugin.width == 64").only.size(), 1U);
  const auto complaint_of = [&](const std::string& assignment) {
    try {
      changed(assignment);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint_of("plugin.width=wide").find("must be a whole number, as in the baseline"),
            std::string::npos);
  EXPECT_NE(complaint_of("plugin.height=3").find("the baseline has no 'plugin.height'"),
            std::string::npos);
}

TEST(Overrides, RefuseWhatDoesNotFitAndSayWhy) {
  EXPECT_NE(complaint("num_worker=2").find("num_workers?"), std::string::npos);
  EXPECT_NE(complaint("num_workers=many").find("whole number from 0 to 256"), std::string::npos);
  EXPECT_NE(complaint("channels_last=yes").find("true or false"), std::string::npos);
  EXPECT_NE(complaint("budget=10").find("unit"), std::string::npos);
  EXPECT_NE(complaint("confirm_rounds=0").find("from 1"), std::string::npos);
  EXPECT_NE(complaint("rounds=0").find("from 1"), std::string::npos);
  EXPECT_NE(complaint("rounds").find("key=value"), std::string::npos);
}

TEST(Overrides, ReplaceTheGridAxisByAxis) {
  scenario::Scenario scenario;
  scenario.baseline = trial::default_settings();
  scenario.grid = {{"amp", {std::string("none"), std::string("bf16")}},
                   {"num_workers", {std::int64_t{0}, std::int64_t{2}}}};
  apply_override(scenario, "grid.num_workers=8");
  ASSERT_EQ(scenario.grid.size(), 2U);
  EXPECT_EQ(scenario.grid[1].first, "num_workers");
  EXPECT_EQ(scenario.grid[1].second, std::vector<trial::KnobValue>{std::int64_t{8}});
  apply_override(scenario, "grid=none");
  EXPECT_TRUE(scenario.grid.empty());
  apply_override(scenario, "grid.amp=bf16");
  ASSERT_EQ(scenario.grid.size(), 1U);
  EXPECT_EQ(scenario.grid[0].first, "amp");
  EXPECT_EQ(scenario.baseline, trial::default_settings()) << "the baseline stays";
  EXPECT_NE(complaint("grid=some").find("must be none"), std::string::npos);
  EXPECT_NE(complaint("grid.num_worker=2").find("unknown key 'grid.num_worker'"),
            std::string::npos);
  EXPECT_NE(complaint("grid.num_workers=many").find("whole number from 0 to 256"),
            std::string::npos);
}

}  // namespace tune::campaign
