#include "report/gate_findings.h"

#include "advice/finding.h"
#include "campaign/regression_facts.h"
#include "report/diagnosis_json.h"
#include "rule/catalog.h"

#include <nlohmann/json.hpp>

#include <string>

namespace tune::report {

namespace {

const rule::Rule* regression_rule() {
  static const rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
  return catalog.find("performance-regression");
}

campaign::MeasuredSide measured(const gate::GateResult& result, const std::string& side) {
  campaign::MeasuredSide sums;
  for (const campaign::TrialRecord& record : result.run.trials) {
    if (record.spec.cell == side && record.outcome.reply) {
      sums.add(*record.outcome.reply);
    }
  }
  return sums;
}

}  // namespace

nlohmann::ordered_json gate_findings(const gate::GateResult& result) {
  auto findings = nlohmann::ordered_json::array();
  if (const rule::Rule* const rule = regression_rule()) {
    rule::FactTable facts;
    campaign::add_regression_facts(gate::verdict_word(result.verdict),
                                   measured(result, result.baseline.name),
                                   measured(result, result.candidate.name),
                                   facts);
    findings.push_back(to_json(advice::find(*rule, facts)));
  }
  return findings;
}

}  // namespace tune::report
