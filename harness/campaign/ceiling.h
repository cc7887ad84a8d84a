#pragma once

#include "campaign/campaign_result.h"
#include "campaign/cell_history.h"
#include "campaign/recorded_run.h"
#include "campaign/slot.h"
#include "rule/fact_table.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

// What the parts of the baseline can do alone, each measured once in a short trial before the
// search (DS-Analyzer, VLDB 2021): the model on batches that stay in memory, and the loader without
// a model.

/// The next such trial, stage "ceiling": in round 1 the model, in round 2 the loader. Nothing where
/// the data are synthetic (then a run is its own ceiling) or both have had their try.
std::optional<Slot> next_ceiling(const scenario::Scenario& scenario, const CellHistory& baseline);

/// Makes the spec of a trial of the baseline one of that round.
void make_ceiling(trial::TrialSpec& spec, std::int64_t round);

/// "compute_ceiling" and "data_ceiling", as far as they were tried.
std::vector<Ceiling> ceilings_of(const std::vector<TrialRecord>& trials);

/// The names that gain models use: `synthetic_rate` is the ceiling of the model, `loader_rate` that
/// of the loader, and `cached_rate`, too, where the files were in the page cache.
void add_ceiling_facts(const std::vector<Ceiling>& ceilings, rule::FactTable& facts);

}  // namespace tune::campaign
