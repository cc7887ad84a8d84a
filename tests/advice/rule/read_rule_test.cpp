#include "advice/rule/read_rule.h"

#include "advice/rule/rule.h"
#include "base/error.h"
#include "sample_rule.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::rule {

namespace {

// All complaints about the sample with `from` replaced by `to`.
std::string complaints(const std::string& from, const std::string& to) {
  try {
    sample_rule(from, to);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// Whether one of its lines begins so.
testing::AssertionResult says(const std::string& text, const std::string& line) {
  return text.starts_with(line) || text.find("\n" + line) != std::string::npos
             ? testing::AssertionSuccess()
             : testing::AssertionFailure() << "expected: " << line << "\nfound: " << text;
}

TEST(ReadRule, ReadsEveryPart) {
  const Rule rule = sample_rule();
  EXPECT_EQ(rule.id, "sample");
  EXPECT_EQ(rule.group, Group::transfers);
  EXPECT_EQ(rule.title, "Pin the host batches");
  EXPECT_EQ(rule.applies->text(), "device == 'cuda'");
  EXPECT_EQ(rule.needs.size(), 5U);
  ASSERT_EQ(rule.limits.size(), 1U);
  EXPECT_EQ(rule.limits[0].value, expression::Value::of(0.03));
  EXPECT_EQ(rule.limits[0].text, "3%");
  EXPECT_EQ(rule.limits[0].source, "own");
  EXPECT_TRUE(rule.limits[0].is_calibrated);
  EXPECT_EQ(rule.severity, Severity::from_gain);
  ASSERT_EQ(rule.change.knobs.size(), 2U);
  EXPECT_EQ(std::get<trial::KnobValue>(rule.change.knobs[0].to), trial::KnobValue(true));
  ASSERT_EQ(rule.change.python.size(), 1U);
  EXPECT_EQ(rule.change.python[0].words, "DataLoader(..., pin_memory=True)");
  EXPECT_EQ(rule.gain.model, Gain::Model::amdahl);
  EXPECT_EQ(rule.gain.removable[1].text(), "1.0");
  EXPECT_TRUE(rule.preserves_numerics);
  EXPECT_TRUE(rule.helps_python);
  EXPECT_EQ(rule.guidance, 3);
}

TEST(ReadRule, GivesExpressionsNamesForThoseAfterThem) {
  const Rule rule = sample_rule("when: h2d_pageable_host_ratio >= limit.share and",
                                "let:\n"
                                "  extra: h2d_pageable_host_ratio - h2d_device_ratio\n"
                                "  is_much: let.extra > limit.share\n"
                                "when: let.is_much and");
  ASSERT_EQ(rule.let.size(), 2U);
  EXPECT_EQ(rule.let[0].name, "extra");
  EXPECT_EQ(rule.let[1].value.text(), "let.extra > limit.share");
}

TEST(ReadRule, RefusesDefinitionsThatUseWhatComesLaterOrDoNotFit) {
  const auto said = [](const std::string& definitions, const std::string& condition) {
    return complaints("when: h2d_pageable_host_ratio >= limit.share and",
                      "let: " + definitions + "\nwhen: " + condition + " and");
  };
  EXPECT_TRUE(
      says(said("{a: let.b, b: 1}", "true"), "rules/sample.yaml:10:10: unknown name `let.b`"));
  EXPECT_TRUE(says(said("{a: let.a}", "true"), "rules/sample.yaml:10:10: unknown name `let.a`"));
  EXPECT_TRUE(says(said("{a: h2d_device_ratio}", "let.a"), "rules/sample.yaml:11:"));
  EXPECT_TRUE(says(said("{a: gpu_busy_ratio}", "let.a > 1%"),
                   "rules/sample.yaml:10:10: `gpu_busy_ratio` is used but not in `needs`"));
}

TEST(ReadRule, GradesASeverityByWhatIsFound) {
  const Rule rule = sample_rule("severity: from-gain",
                                "severity: [{level: high, when: h2d_device_ratio > limit.share}, "
                                "{level: from-gain}]");
  ASSERT_EQ(rule.grades.size(), 2U);
  EXPECT_EQ(rule.grades[0].level, Severity::high);
  EXPECT_EQ(rule.grades[0].when->text(), "h2d_device_ratio > limit.share");
  EXPECT_EQ(rule.severity, Severity::from_gain) << "where nothing else holds";
  EXPECT_STREQ(severity_word(rule), "graded");
  EXPECT_STREQ(severity_word(sample_rule()), "from-gain");
}

TEST(ReadRule, RefusesGradesThatDoNotEndOrDoNotBegin) {
  const auto said = [](const std::string& list) {
    return complaints("severity: from-gain", "severity: " + list);
  };
  EXPECT_TRUE(says(said("[{level: high, when: h2d_device_ratio > 1%}, "
                        "{level: low, when: h2d_device_ratio > 0.5%}]"),
                   "rules/sample.yaml:11:56: the last level of `severity` has a `when`"));
  EXPECT_TRUE(says(said("[{level: high}, {level: low}]"),
                   "rules/sample.yaml:11:12: a level of `severity` has no `when`"));
  EXPECT_TRUE(says(said("[{level: high, when: h2d_devce_ratio > 1%}, {level: low}]"),
                   "rules/sample.yaml:11:32: unknown name `h2d_devce_ratio`"));
  EXPECT_NE(said("[{level: grave, when: h2d_device_ratio > 1%}, {level: low}]"), "");
  EXPECT_NE(said("[{level: low}]"), "") << "one level is a word";
  EXPECT_NE(said("grave"), "");
}

TEST(ReadRule, RefusesAPlaceholderThatIsNoKnob) {
  const std::string text = complaints("pin_memory=True", "num_workers={num_wrkers}");
  EXPECT_NE(text.find("'num_wrkers' in braces is neither a knob nor in `needs`"), std::string::npos)
      << text;
  EXPECT_NE(text.find("num_workers"), std::string::npos) << text;
  EXPECT_EQ(complaints("pin_memory=True", "num_workers={num_workers}, x={ y }"), "");
}

TEST(ReadRule, ReadsCodesOfWhichTheLastAloneAlwaysHolds) {
  const std::string code = "\"DataLoader(..., pin_memory=True)\"";
  const Rule rule =
      sample_rule(code, "[{when: h2d_device_ratio > 1%, say: \"f({h2d_device_ratio})\"}, g()]");
  ASSERT_EQ(rule.change.python.size(), 2U);
  EXPECT_EQ(rule.change.python[0].when->text(), "h2d_device_ratio > 1%");
  EXPECT_EQ(rule.change.python[0].words, "f({h2d_device_ratio})");
  EXPECT_FALSE(rule.change.python[1].when.has_value());
  EXPECT_NE(complaints(code,
                       "[{when: h2d_device_ratio > 1%, say: f()}, "
                       "{when: h2d_device_ratio > 2%, say: g()}]")
                .find("the last code of the list has a `when`"),
            std::string::npos);
  EXPECT_NE(complaints(code, "[f(), g()]").find("a code of the list has no `when`"),
            std::string::npos);
  EXPECT_NE(complaints(code, "[{when: h2d_device_ratio > 1%, say: \"f({usable_cores})\"}, g()]")
                .find("'usable_cores' in braces is neither a knob nor in `needs`"),
            std::string::npos);
}

TEST(ReadRule, ReadsVariablesAndRefusesWhatIsNone) {
  const std::string python = "    python: \"DataLoader(..., pin_memory=True)\"\n";
  const Rule rule = sample_rule(
      python, python + "  environment: [\"A=1 B_2={num_workers}\", LD_PRELOAD=libjemalloc.so.2]\n");
  EXPECT_EQ(rule.change.environment,
            (std::vector<std::string>{"A=1 B_2={num_workers}", "LD_PRELOAD=libjemalloc.so.2"}));
  EXPECT_TRUE(sample_rule().change.environment.empty());
  for (const char* const wrong :
       {"[\"A 1\"]", "[\"A=1;true\"]", "[\"A=$(true)\"]", "[\"A='1 2'\"]", "[]", "A=1", "[1]"}) {
    EXPECT_NE(complaints(python, python + "  environment: " + wrong + "\n"), "") << wrong;
  }
  EXPECT_NE(complaints(python, python + "  environment: [\"A={num_wrkers}\"]\n")
                .find("'num_wrkers' in braces is neither a knob nor in `needs`"),
            std::string::npos);
}

TEST(ReadRule, ReadsComputedKnobsAndGainsThatStandIn) {
  const Rule rule = sample_rule(
      "  knobs: [{name: pin_memory, to: true}, {name: non_blocking, to: true}]",
      "  knobs: [{name: num_workers, to: {expression: \"h2d_pageable_bytes / 1 MB\"}}]");
  EXPECT_EQ(std::get<expression::Expression>(rule.change.knobs[0].to).text(),
            "h2d_pageable_bytes / 1 MB");
  const Rule other =
      sample_rule("removable: [0.5, 1.0]}",
                  "removable: [0.5, 1.0], else: {model: measured, low: 0, high: 0.3}}");
  ASSERT_NE(other.gain.otherwise, nullptr);
  EXPECT_EQ(other.gain.otherwise->model, Gain::Model::measured);
}

TEST(ReadRule, NamesFileLineAndColumn) {
  EXPECT_TRUE(
      says(complaints("h2d_pageable_host_ratio >=", "h2d_pagable_host_ratio >="),
           "rules/sample.yaml:10:7: unknown name `h2d_pagable_host_ratio` (no metric, knob or "
           "machine fact) did you mean `h2d_pageable_host_ratio`?"));
  EXPECT_TRUE(
      says(complaints("h2d_pageable_host_ratio > h2d_device_ratio", "step_time > 3 MiB"),
           "rules/sample.yaml:10:50: cannot compare time with bytes (`step_time > 3 MiB`)"));
  EXPECT_TRUE(
      says(complaints("h2d_pageable_host_ratio > h2d_device_ratio", "step_time > 3 mss"),
           "rules/sample.yaml:10:64: unit `mss` is not known (time units: ns us ms s min h)"));
  EXPECT_TRUE(
      says(complaints("> h2d_device_ratio", "> sm_efficiency"),
           "rules/sample.yaml:10:76: `sm_efficiency` is used but not in `needs` (line 7) add "
           "it?"));
  EXPECT_TRUE(says(complaints("> h2d_device_ratio", "> (h2d_device_ratio"),
                   "rules/sample.yaml:10:93: expected `)` before end of expression"));
  EXPECT_TRUE(says(complaints("id: sample", "id: Foo"),
                   "rules/sample.yaml:2:5: id `Foo` does not equal the file name `sample`"));
}

TEST(ReadRule, RefusesNamesThatNobodyKnows) {
  EXPECT_TRUE(
      says(complaints("needs: [device,", "needs: [devise,"),
           "rules/sample.yaml:7:9: unknown name `devise` (no metric, knob or machine fact) did "
           "you mean `device`?"));
  EXPECT_TRUE(says(complaints("evidence: [h2d", "evidence: [step_time, h2d"),
                   "rules/sample.yaml:12:12: `step_time` is shown but not in `needs`"));
  EXPECT_TRUE(
      says(complaints("{name: pin_memory,", "{name: pin_memry,"),
           "rules/sample.yaml:14:18: unknown knob 'pin_memry' (knobs are listed by 'tune list "
           "knobs') pin_memory?"));
}

TEST(ReadRule, RefusesWhatDoesNotFit) {
  EXPECT_TRUE(says(complaints("value: 3%", "value: 3ms"),
                   "rules/sample.yaml:10:7: cannot compare a number with time "
                   "(`h2d_pageable_host_ratio >= limit.share`)"));
  EXPECT_TRUE(says(complaints("value: 3%", "value: 3mss"),
                   "rules/sample.yaml:9:18: 'limits.share.value' must be a number or a quantity"));
  EXPECT_TRUE(says(complaints("when: h2d_pageable_host_ratio >=", "when: 1 + limit.share +"),
                   "rules/sample.yaml:10:7: "));
  EXPECT_TRUE(says(complaints("when: h2d_pageable_host_ratio >= limit.share and "
                              "h2d_pageable_host_ratio > h2d_device_ratio",
                              "when: h2d_device_ratio"),
                   "rules/sample.yaml:10:7: must be true or false (this is number)"));
  EXPECT_TRUE(says(complaints("{name: pin_memory, to: true}", "{name: pin_memory, to: 3}"),
                   "rules/sample.yaml:14:34: 'pin_memory' must be true or false (is '3')"));
  EXPECT_TRUE(
      says(complaints("limits:\n  share:", "limits:\n  Share:"), "rules/sample.yaml:9:3: "));
}

TEST(ReadRule, RefusesConditionsOfKnobsAndGainsThatAreNone) {
  EXPECT_TRUE(says(complaints("{name: pin_memory, to: true}",
                              "{name: pin_memory, to: true, when: h2d_device_ratio}"),
                   "rules/sample.yaml:14:46: must be true or false (this is number)"));
  EXPECT_TRUE(
      says(complaints("gain: {model: amdahl", "gain: {model: amdahl, when: sm_efficiency > 1"),
           "rules/sample.yaml:18:29: `sm_efficiency` is used but not in `needs` (line 7) add "
           "it?"));
}

TEST(ReadRule, RefusesKeysThatAreUnknownOrMissing) {
  EXPECT_TRUE(says(complaints("guidance: 3", "guidence: 3"),
                   "rules/sample.yaml:22:1: unknown key 'guidence' (keys of a rule:"));
  EXPECT_TRUE(says(complaints("guidance: 3\n", ""),
                   "rules/sample.yaml:1:1: the key 'guidance' is missing"));
  EXPECT_TRUE(says(complaints(", source: own", ""),
                   "rules/sample.yaml:9:10: the key 'limits.share.source' is missing"));
}

TEST(ReadRule, RefusesGainsWithoutTheirTerms) {
  const std::string gain =
      "gain: {model: amdahl, share: \"max(0, h2d_pageable_host_ratio - "
      "h2d_device_ratio)\", removable: [0.5, 1.0]}";
  EXPECT_TRUE(
      says(complaints(gain, "gain: {model: amdahl, share: 0.1}"),
           "rules/sample.yaml:18:7: the key 'removable' is missing (the model 'amdahl' needs "
           "it)"));
  EXPECT_TRUE(says(complaints(gain, "gain: {model: pipeline, low: 0.1}"),
                   "rules/sample.yaml:18:7: the key 'high' is missing"));
  EXPECT_TRUE(says(complaints(gain, "gain: {model: measured, low: 0.1}"),
                   "rules/sample.yaml:18:7: the key 'high' is missing"));
  EXPECT_TRUE(says(complaints(gain, "gain: {model: none, share: 0.1}"),
                   "rules/sample.yaml:18:28: the model 'none' has no 'share'"));
}

TEST(ReadRule, RefusesHostileFiles) {
  const std::string anchors =
      complaints("risk: Pinned memory cannot be swapped.", "risk: &a [*a, *a]");
  EXPECT_TRUE(says(anchors, "rules/sample.yaml:21:"));
  EXPECT_NE(anchors.find("anchors are not used in rules (write the value out)"), std::string::npos);
  EXPECT_TRUE(says(complaints("when: h2d", "when: " + std::string(10'000, '(') + "h2d"),
                   "rules/sample.yaml:10:7: "));
  EXPECT_TRUE(
      says(complaints("when: h2d", "when: " + std::string(100, '(') + "h2d"),
           "rules/sample.yaml:10:71: the expression is nested too deep (at most 64 levels)"));
  EXPECT_TRUE(says(complaints("when: h2d", "when: " + std::string(10 << 20, 'a') + "h2d"),
                   "rules/sample.yaml:1:1: the file is too large (at most 1 MiB)"));
  EXPECT_TRUE(says(complaints("rule: 1\n", "rule: 1\nrule: 1\n"),
                   "rules/sample.yaml:2:1: the key 'rule' is there twice"));
}

TEST(ReadRule, SaysEverythingAtOnce) {
  const std::string all = complaints("needs: [device, pin_memory,", "needs: [devize, pin_memory,");
  EXPECT_TRUE(
      says(all, "rules/sample.yaml:6:10: `device` is used but not in `needs` (line 7) add it?"));
  EXPECT_TRUE(says(all, "rules/sample.yaml:7:9: unknown name `devize`"));
}

TEST(CodePlaceholders, AreNamesInBraces) {
  const auto found = placeholders_in("f({batch_size}, workers={num_workers})");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].begin, 2U);
  EXPECT_EQ(found[0].size, 12U);
  EXPECT_EQ(found[0].name, "batch_size");
  EXPECT_EQ(found[1].name, "num_workers");
}

TEST(CodePlaceholders, AreNoOtherBraces) {
  for (const char* const code : {"{}",
                                 "{ x }",
                                 "{0, 1}",
                                 "{X}",
                                 "{1x}",
                                 "{a.b}",
                                 "if (x) {return;}",
                                 "{batch_size",
                                 "{",
                                 ""}) {
    EXPECT_TRUE(placeholders_in(code).empty()) << code;
  }
  EXPECT_EQ(placeholders_in("{{a}}").size(), 1U);
}

}  // namespace

}  // namespace tune::rule
