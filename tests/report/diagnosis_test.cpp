#include "../advice/sample_findings.h"
#include "advice/rule/trace_facts.h"
#include "report/diagnosis_text.h"
#include "report/result_of.h"
#include "report/trace_json.h"
#include "report/trace_pages.h"
#include "schema_complaint.h"
#include "trace/metric/trace_metrics.h"
#include "trace_text.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

using advice::Diagnosis;
using advice::waiting;
using expression::Value;

result::Result diagnosis_of(const rule::Catalog& catalog) {
  return result_of(advice::diagnose(catalog, waiting(0.2)));
}

TEST(DiagnosisText, SaysWhatToDoAndWhy) {
  const rule::Catalog catalog = advice::catalog_of({{"wait", ""}});
  const result::Result diagnosis = diagnosis_of(catalog);
  EXPECT_EQ(
      recommendation_lines(diagnosis, 3),
      (std::vector<std::string>{"R1  Feed the training faster [wait]: predicted +11.1 to +25.0 %",
                                "    load faster",
                                "    because data_wait_ratio 0.2 > 5% ✓"}));
  EXPECT_TRUE(recommendation_lines(diagnosis, 0).empty());
  EXPECT_EQ(count_words(diagnosis), "1 rule: 1 fired, 0 quiet, 0 not applicable");
}

TEST(DiagnosisText, PutsDoubtsAndOtherFindingsApart) {
  const rule::RuleFile doubt = advice::changed_rule("doubt", "group: input", "group: validity");
  const rule::RuleFile fact = advice::changed_rule(
      "fact", "{model: amdahl, share: data_wait_ratio, removable: [0.5, 1]}", "{model: none}");
  const rule::Catalog catalog = rule::read_catalog({doubt, fact});
  const result::Result diagnosis = diagnosis_of(catalog);
  EXPECT_EQ(
      doubt_lines(diagnosis),
      std::vector<std::string>{"doubt: data_wait_ratio 0.2 > 5% ✓. Feed the training faster"});
  EXPECT_EQ(other_finding_lines(diagnosis),
            std::vector<std::string>{"fact: data_wait_ratio 0.2 > 5% ✓. Feed the training faster"});
}

TEST(DiagnosisText, NamesTheCauseOfAFinding) {
  const rule::Catalog catalog =
      advice::catalog_of({{"cause", ""}, {"whole", "explained_by: [cause]\n"}});
  EXPECT_EQ(other_finding_lines(diagnosis_of(catalog)),
            std::vector<std::string>{"whole: data_wait_ratio 0.2 > 5% ✓; explained by cause"});
}

TEST(DiagnosisText, SaysThatAGainIsNotKnown) {
  const auto words = [](const advice::PredictedGain& gain) {
    return gain_words(predicted_of(gain));
  };
  EXPECT_EQ(words({.reason = "only pairs of runs can tell"}),
            "gain unknown: only pairs of runs can tell");
  EXPECT_EQ(words({.lower = 0.05, .upper = 0.05}), "predicted +5.0 %");
  EXPECT_EQ(words({.lower = 0.62, .upper = 0.62, .model = rule::Gain::Model::measured}),
            "seen in the search: +62.0 %");
}

// "+37.0 to +574.0 %" is of no use to who has to plan: the same limit as for measured gains.
TEST(DiagnosisText, APredictedRangeHasNoUpperEndOfMoreThanTwiceTheRateAtItsLower) {
  const auto words = [](double lower, double upper) {
    return gain_words(predicted_of({.lower = lower, .upper = upper}));
  };
  EXPECT_EQ(words(0.37, 5.74), "predicted at least +37.0 %");
  EXPECT_EQ(words(0.5, 2.0), "predicted +50.0 to +200.0 %");
  EXPECT_EQ(words(0.5, 2.01), "predicted at least +50.0 %");
  EXPECT_EQ(words(0, 1), "predicted up to +100.0 %");
  const std::string unknown =
      "gain unknown: between nothing and more than twice the rate; only a run can tell";
  EXPECT_EQ(words(0, 9), unknown);
  EXPECT_EQ(words(0.0004, 9), unknown) << "at least +0.0 % says nothing";
  const result::PredictedGain kept = predicted_of({.lower = 0.37, .upper = 5.74});
  EXPECT_EQ(kept.gain.upper, 5.74) << "for programs";
}

TEST(DiagnosisMarkdown, HasEvidenceAndWhatIsSilent) {
  rule::RuleFile silent = advice::changed_rule(
      "silent", "needs: [data_wait_ratio]", "needs: [data_wait_ratio, num_workers]");
  silent.text.replace(silent.text.find("when: data_wait_ratio"), 21, "when: num_workers");
  const rule::Catalog catalog =
      rule::read_catalog({silent, {"rules/wait.yaml", rule::short_rule("wait")}});
  const std::string text = diagnosis_markdown(diagnosis_of(catalog));
  EXPECT_NE(text.find("### R1. Feed the training faster"), std::string::npos) << text;
  EXPECT_NE(text.find("Gains are predicted unless it says that they were measured"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("5% (own)"), std::string::npos) << text;
  EXPECT_NE(text.find("2 rules: 1 fired, 0 quiet, 1 not applicable, 1 of them need a run"),
            std::string::npos)
      << text;
}

TEST(DiagnosisJson, FitsTheSchema) {
  const profile::Timeline timeline = profile::read_events(
      profile::row("user_annotation", "ProfilerStep#1", "0", "100") + "," +
      profile::row("user_annotation",
                   "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                   "9",
                   "40") +
      "," + profile::row("cpu_op", "aten::mm", "60", "5"));
  const metric::TraceInput input = metric::examine(timeline);
  const auto metrics = metric::trace_metrics(input);
  const rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
  const Diagnosis diagnosis = advice::diagnose(catalog, rule::facts_of_trace(input, metrics));
  const TraceAnalysis analysis{.input = input, .metrics = metrics, .diagnosis = &diagnosis};
  const auto json = nlohmann::json::parse(to_trace_json(analysis));
  EXPECT_EQ(complaint(json), "");
  EXPECT_EQ(json["findings"].size(), catalog.rules.size());
  EXPECT_EQ(json["findings"][0]["state"], "fired");
  EXPECT_FALSE(json["recommendations"].empty());
  EXPECT_EQ(json["recommendations"][0]["id"], "R1");
  EXPECT_TRUE(json["recommendations"][0]["measured"].is_null());
  EXPECT_NE(to_trace_markdown(analysis).find("## Recommendations"), std::string::npos);
}

TEST(DiagnosisJson, SaysThatNoRuleWasAsked) {
  const profile::Timeline timeline =
      profile::read_events(profile::row("cpu_op", "aten::mm", "0", "100"));
  const metric::TraceInput input = metric::examine(timeline);
  const TraceAnalysis analysis{.input = input, .metrics = metric::trace_metrics(input)};
  const auto json = nlohmann::json::parse(to_trace_json(analysis));
  EXPECT_TRUE(json["findings"].empty());
  EXPECT_EQ(json["findings_reason"], "no rule was asked");
}

}  // namespace
}  // namespace tune::report
