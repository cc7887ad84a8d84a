#include "report/gate_findings.h"

#include "advice/finding.h"
#include "advice/rule/catalog.h"
#include "measure/campaign/regression_facts.h"
#include "measure/gate/judge.h"
#include "report/result_of.h"

#include <algorithm>
#include <string>

namespace tune::report {

namespace {

const rule::Rule* regression_rule() {
  static const rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
  return catalog.find("performance-regression");
}

// Not the anchor's, which is of another pair of sides.
stats::GateVerdict own_verdict(const gate::GateResult& result) {
  return result.anchor && result.anchor->decides ? gate::verdict_of_rows(result) : result.verdict;
}

// Counts and memory that are worse say nothing about speed.
bool regressed_but_no_time(const gate::GateResult& result) {
  return own_verdict(result) == stats::GateVerdict::regressed &&
         std::none_of(result.rows.begin(), result.rows.end(), [](const gate::Row& row) {
           return row.metric != "peak_memory_bytes" && row.verdict == stats::GateVerdict::regressed;
         });
}

// "p07-candidate": a process of a pair, not one that only counted, looked for a steady state or ran
// an epoch.
bool is_of_a_pair(const std::string& process) {
  return process.size() > 1 && process[0] == 'p' && process[1] >= '0' && process[1] <= '9';
}

campaign::MeasuredSide measured(const gate::GateResult& result, const std::string& side) {
  campaign::MeasuredSide sums;
  for (const campaign::TrialRecord& record : result.run.trials) {
    if (record.spec.cell == side && record.outcome.reply && is_of_a_pair(record.spec.id)) {
      sums.add(*record.outcome.reply);
    }
  }
  return sums;
}

std::vector<advice::Finding> find(const gate::GateResult& result) {
  const rule::Rule* const rule = regression_rule();
  if (rule == nullptr) {
    return {};
  }
  rule::FactTable facts;
  if (result.sides_are_equal) {
    campaign::add_no_regression("both sides are the same", facts);
  } else if (result.end == gate::End::candidate_failed) {
    campaign::add_no_regression("the candidate failed, it was not measured to the end", facts);
  } else if (regressed_but_no_time(result)) {
    campaign::add_no_regression("no gated time is worse, only counts or memory are", facts);
  } else {
    campaign::add_regression_facts(gate::verdict_word(own_verdict(result)),
                                   measured(result, result.baseline.name),
                                   measured(result, result.candidate.name),
                                   facts);
  }
  return {advice::find(*rule, facts)};
}

}  // namespace

std::vector<result::Finding> gate_findings(const gate::GateResult& result) {
  std::vector<result::Finding> findings;
  for (const advice::Finding& finding : find(result)) {
    findings.push_back(finding_of(finding));
  }
  return findings;
}

std::string finding_words(const std::string& title,
                          const std::string& rule,
                          const std::string& severity,
                          const std::string& condition) {
  return title + " (" + rule + ", " + severity + "): " + condition;
}

}  // namespace tune::report
