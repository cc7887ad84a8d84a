#include "advice/finding.h"

#include "sample_findings.h"

#include <gtest/gtest.h>

namespace tune::advice {

namespace {

using rule::State;

TEST(Because, IsTheFirstSentenceThatHolds) {
  const rule::Catalog catalog = catalog_of({{"wait",
                                             "because:\n"
                                             "  - {when: data_wait_ratio > 0.5, say: most}\n"
                                             "  - {when: data_wait_ratio > 2 * limit.wait, say: "
                                             "\"{data_wait_ratio} % is much\"}\n"
                                             "  - some\n"}});
  const auto because = [&](double ratio) {
    return finding_of(diagnose(catalog, waiting(ratio)), "wait").because;
  };
  EXPECT_EQ(because(0.6), "most");
  EXPECT_EQ(because(0.2), "20.0 % is much");
  EXPECT_EQ(because(0.08), "some");
}

TEST(Because, CountsOneInTheSingular) {
  const std::pair<const char*, const char*> kCases[] = {
      {"reads {num_workers} numbers, and waits", "reads 1 number, and waits"},
      {"runs {num_workers} times in each step", "runs once in each step"},
      {"goes {num_workers} more times", "goes once more"},
      {"takes {num_workers} times as long", "takes 1 times as long"},
      {"{num_workers} copies in a step", "1 copy in a step"},
      {"next to {num_workers} other processes", "next to 1 other process"},
      {"of {num_workers} is", "of 1 is"},
      {"{num_workers} (workers)", "1 (workers)"},
      {"workers: {num_workers}", "workers: 1"}};
  for (const auto& [sentence, one] : kCases) {
    const rule::Catalog catalog =
        rule::read_catalog({changed_rule("wait",
                                         "needs: [data_wait_ratio]",
                                         "needs: [data_wait_ratio, num_workers]",
                                         std::string("because: [\"") + sentence + "\"]\n")});
    rule::FactTable facts = waiting(0.2);
    facts.set("num_workers", {.result = expression::Value{expression::Number{1}}});
    EXPECT_EQ(finding_of(diagnose(catalog, facts), "wait").because, one);
  }
}

TEST(Code, HasFurtherWordsWhereTheirConditionHolds) {
  const rule::Catalog catalog = rule::read_catalog(
      {changed_rule("wait",
                    "change: {text: load faster}",
                    "change: {code: {python: load(), also: {when: data_wait_ratio > 0.5, say: in "
                    "threads}}}")});
  const auto python = [&](double ratio) {
    return diagnose(catalog, waiting(ratio)).recommendations.at(0).python;
  };
  EXPECT_EQ(python(0.6), "load(), in threads");
  EXPECT_EQ(python(0.2), "load()");
}

TEST(Code, NamesTheModuleOfTheDevice) {
  const rule::Catalog catalog = rule::read_catalog(
      {changed_rule("wait",
                    "change: {text: load faster}",
                    "change: {code: {python: \"torch.cuda.synchronize(); torch.cuda.Event(); "
                    "torch.autocast('cuda')\"}}")});
  rule::FactTable facts = waiting(0.2);
  facts.device_module = "xpu";
  EXPECT_EQ(diagnose(catalog, facts).recommendations.at(0).python,
            "torch.xpu.synchronize(); torch.xpu.Event(); torch.autocast('xpu')");
}

TEST(Code, IsTheFirstThatHolds) {
  const rule::Catalog catalog = rule::read_catalog(
      {changed_rule("wait",
                    "change: {text: load faster}",
                    "change: {code: {python: [{when: data_wait_ratio > 0.5, say: "
                    "\"wait({data_wait_ratio})\"}, load()]}}")});
  const auto python = [&](double ratio) {
    return diagnose(catalog, waiting(ratio)).recommendations.at(0).python;
  };
  EXPECT_EQ(python(0.6), "wait(0.6)");
  EXPECT_EQ(python(0.2), "load()");
}

TEST(Muting, MakesQuietWhatItMutes) {
  const rule::Catalog catalog = catalog_of({{"loud", "mutes: [soft]\n"}, {"soft", ""}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  const Finding& soft = finding_of(diagnosis, "soft");
  EXPECT_EQ(soft.state, State::quiet);
  EXPECT_EQ(soft.muted_by, "loud");
  EXPECT_EQ(soft.reason, "muted by loud");
  ASSERT_EQ(diagnosis.recommendations.size(), 1U);
  EXPECT_EQ(diagnosis.recommendations[0].rule->id, "loud");
}

TEST(Muting, ByWhatIsMutedItselfIsNone) {
  const rule::Catalog catalog =
      catalog_of({{"a", "mutes: [b]\n"}, {"b", "mutes: [c]\n"}, {"c", ""}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  EXPECT_EQ(finding_of(diagnosis, "b").muted_by, "a");
  EXPECT_EQ(finding_of(diagnosis, "c").state, State::fired);
}

TEST(Muting, ByALowFindingOrAQuietOneIsNone) {
  const rule::RuleFile low =
      changed_rule("low", "removable: [0.5, 1]", "removable: [0.05, 0.1]", "mutes: [soft]\n");
  const rule::RuleFile quiet = changed_rule("quiet", "value: 5%", "value: 50%", "mutes: [soft]\n");
  const rule::Catalog catalog =
      rule::read_catalog({low, quiet, {"rules/soft.yaml", rule::short_rule("soft")}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  EXPECT_EQ(finding_of(diagnosis, "low").severity, rule::Severity::low);
  EXPECT_EQ(finding_of(diagnosis, "soft").state, State::fired);
}

TEST(Muting, ByWhatCostsNobodyKnowsWhatIsOfItsOwnGroupAlone) {
  const rule::RuleFile unknown = changed_rule(
      "unknown", "share: data_wait_ratio", "share: data_wait_ratio / 0", "mutes: [near, far]\n");
  const rule::Catalog catalog =
      rule::read_catalog({unknown,
                          {"rules/near.yaml", rule::short_rule("near")},
                          changed_rule("far", "group: input", "group: launch")});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  EXPECT_EQ(finding_of(diagnosis, "unknown").severity, rule::Severity::info);
  EXPECT_EQ(finding_of(diagnosis, "near").muted_by, "unknown");
  EXPECT_EQ(finding_of(diagnosis, "far").state, State::fired);
}

TEST(Muting, ByARuleOfValidityRejects) {
  const rule::RuleFile doubt =
      changed_rule("doubt", "group: input", "group: validity", "mutes: [soft]\n");
  const rule::Catalog catalog =
      rule::read_catalog({doubt, {"rules/soft.yaml", rule::short_rule("soft")}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  EXPECT_EQ(finding_of(diagnosis, "soft").state, State::not_applicable);
  EXPECT_EQ(finding_of(diagnosis, "soft").reason, "rejected by doubt");
}

// A gain that belongs to the causes: told beside one that fired, promised by nobody twice.
TEST(Explanations, KnowAGainOfCausesWhereOneFired) {
  const auto catalog_with = [](const char* limit) {
    return rule::read_catalog({changed_rule("cause", "value: 5%", std::string("value: ") + limit),
                               changed_rule("tail",
                                            "model: amdahl,",
                                            "model: amdahl, of_causes: true,",
                                            "explained_by: [cause]\n")});
  };
  const rule::Catalog loud = catalog_with("5%");
  const Diagnosis named = diagnose(loud, waiting(0.2));
  EXPECT_TRUE(finding_of(named, "tail").gain.is_known());
  ASSERT_EQ(named.recommendations.size(), 1U);
  EXPECT_EQ(named.recommendations[0].rule->id, "cause");
  const rule::Catalog silent = catalog_with("50%");
  const Diagnosis alone = diagnose(silent, waiting(0.2));
  EXPECT_FALSE(finding_of(alone, "tail").gain.is_known());
  EXPECT_EQ(finding_of(alone, "tail").gain.reason, "none of the rules that could explain it fired");
  EXPECT_TRUE(alone.recommendations.empty());
}

TEST(Explanations, NameTheCausesThatFired) {
  const rule::RuleFile quiet = changed_rule("quiet", "value: 5%", "value: 50%");
  const rule::Catalog catalog = rule::read_catalog(
      {quiet,
       {"rules/cause.yaml", rule::short_rule("cause")},
       {"rules/whole.yaml", rule::short_rule("whole", "explained_by: [cause, quiet]\n")}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  EXPECT_EQ(finding_of(diagnosis, "whole").explained_by, std::vector<std::string>{"cause"});
  ASSERT_EQ(diagnosis.recommendations.size(), 1U);  // the cause proposes something; both do not add
  EXPECT_EQ(diagnosis.recommendations[0].rule->id, "cause");
  EXPECT_EQ(diagnosis.recommendations[0].explains, std::vector<std::string>{"whole"});
}

TEST(Explanations, SayThatThereIsNone) {
  const rule::RuleFile quiet = changed_rule("quiet", "value: 5%", "value: 50%");
  const rule::Catalog catalog = rule::read_catalog(
      {quiet, {"rules/whole.yaml", rule::short_rule("whole", "explained_by: [quiet]\n")}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  EXPECT_EQ(finding_of(diagnosis, "whole").labels, std::vector<std::string>{"unexplained"});
  EXPECT_EQ(diagnosis.recommendations.size(), 1U);
}

TEST(Conflicts, MakeAProposalARiskThatComesLast) {
  const rule::RuleFile near_limit =
      changed_rule("near-limit",
                   "{model: amdahl, share: data_wait_ratio, removable: [0.5, 1]}",
                   "{model: none}",
                   "conflicts: [large]\n");
  const rule::RuleFile small =
      changed_rule("small", "removable: [0.5, 1]", "removable: [0.1, 0.2]");
  const rule::Catalog catalog =
      rule::read_catalog({near_limit, small, {"rules/large.yaml", rule::short_rule("large")}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  ASSERT_EQ(diagnosis.recommendations.size(), 2U);
  EXPECT_EQ(diagnosis.recommendations[0].rule->id, "small");
  EXPECT_TRUE(diagnosis.recommendations[1].breaks_a_limit);
  EXPECT_EQ(diagnosis.recommendations[1].risks.size(), 2U);
}

}  // namespace

}  // namespace tune::advice
