#include "advice/diagnosis.h"

#include "advice/derived_facts.h"
#include "advice/distortion.h"
#include "advice/finding.h"
#include "advice/recommendation.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

namespace tune::advice {

namespace {

using rule::Group;
using rule::State;

// What shakes everything else: a fact about the run, not about the training.
bool casts_doubt(const Finding& finding) {
  return finding.has_fired() && finding.rule->group == Group::validity &&
         finding.severity != rule::Severity::info;
}

void lower_confidence(std::vector<Finding>& findings) {
  if (!std::any_of(findings.begin(), findings.end(), casts_doubt)) {
    return;
  }
  for (Finding& finding : findings) {
    if (finding.rule->group != Group::validity) {
      finding.confidence = Confidence::low;
    }
  }
}

// Fired first, by rank; see Diagnosis::findings.
void sort_findings(Diagnosis& diagnosis) {
  std::map<const rule::Rule*, std::size_t> ranks;
  for (std::size_t i = 0; i < diagnosis.recommendations.size(); ++i) {
    ranks.emplace(diagnosis.recommendations[i].rule, i);
  }
  const auto key = [&](const Finding& finding) {
    const auto rank = ranks.find(finding.rule);
    const std::size_t place = rank != ranks.end() ? rank->second : ranks.size();
    return std::tuple(finding.state,
                      finding.has_fired() ? place : 0,
                      finding.has_fired() ? -static_cast<int>(finding.severity) : 0);
  };
  std::stable_sort(diagnosis.findings.begin(),
                   diagnosis.findings.end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
}

}  // namespace

std::size_t Diagnosis::count(State state) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.state == state;
      }));
}

Diagnosis diagnose(const rule::Catalog& catalog, rule::FactTable facts, const HitRates& hit_rates) {
  add_derived_facts(facts);
  Diagnosis diagnosis;
  diagnosis.findings.reserve(catalog.rules.size());
  for (const rule::Rule& rule : catalog.rules) {
    if (rule.group == Group::validity) {
      diagnosis.findings.push_back(find(rule, facts));
    }
  }
  const rule::FactTable trusted =
      without_rejected_window(diagnosis.findings, without_distorted_times(catalog, facts));
  for (const rule::Rule& rule : catalog.rules) {
    if (rule.group != Group::validity) {
      diagnosis.findings.push_back(find(rule, trusted));
    }
  }
  apply_muting(diagnosis.findings);
  apply_explanations(diagnosis.findings);
  lower_confidence(diagnosis.findings);
  for (const Finding& finding : diagnosis.findings) {
    if (auto recommendation = recommend(finding, trusted, diagnosis.findings)) {
      diagnosis.recommendations.push_back(std::move(*recommendation));
    }
  }
  rank(diagnosis.recommendations, hit_rates);
  settle_conflicts(diagnosis.recommendations);
  sort_findings(diagnosis);
  diagnosis.facts = std::move(facts);
  return diagnosis;
}

const Finding* finding_of(const Diagnosis& diagnosis, const rule::Rule* rule) {
  const auto found = std::find_if(diagnosis.findings.begin(),
                                  diagnosis.findings.end(),
                                  [&](const auto& finding) { return finding.rule == rule; });
  return found == diagnosis.findings.end() ? nullptr : &*found;
}

}  // namespace tune::advice
