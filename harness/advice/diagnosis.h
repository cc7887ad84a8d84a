#pragma once

#include "advice/finding.h"
#include "advice/recommendation.h"
#include "advice/rule/catalog.h"
#include "advice/rule/fact_table.h"

#include <vector>

namespace tune::advice {

/// What a catalogue of rules says of a run. Refers to the catalogue.
struct Diagnosis {
  /// Fired, those with a recommendation by its rank, the others by severity; then quiet, then not
  /// applicable, as the catalogue orders them.
  std::vector<Finding> findings;
  std::vector<Recommendation> recommendations;  ///< by rank
  rule::FactTable facts;                        ///< that it stands on, with those derived

  std::size_t count(rule::State state) const;
};

/// What the rule said; null where it was not asked. Points into the diagnosis.
const Finding* finding_of(const Diagnosis& diagnosis, const rule::Rule* rule);

/// Rules of validity first; then the others, with times of the profiled window refused where the
/// profiler slowed the step down by more than 15 %; then muting, causes, recommendations, ranks.
/// Derived facts are added to `facts` (derived_facts.h).
Diagnosis diagnose(const rule::Catalog& catalog,
                   rule::FactTable facts,
                   const HitRates& hit_rates = {});

}  // namespace tune::advice
