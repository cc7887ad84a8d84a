#pragma once

#include "advice/diagnosis.h"
#include "measure/campaign/campaign_result.h"
#include "result/result.h"
#include "trace/metric/metric.h"
#include "trace/partition.h"
#include "trace/table/table.h"

#include <string>
#include <vector>

namespace tune::report {

// What a result.json says, filled from what was measured.

/// All of a run.
result::Result result_of(const campaign::CampaignResult& result);
/// What the rules said, and nothing else.
result::Result result_of(const advice::Diagnosis& diagnosis);

/// The number, with a reason where it has no interval or is not finite.
result::Number number_of(const stats::Number& estimate, const std::string& unit);
result::Setting setting_of(const trial::KnobSettings& knobs);
result::Steadiness steadiness_of(const campaign::SteadyTally& tally);
result::Scenario scenario_of(const scenario::Scenario& scenario);
result::Environment environment_of(const campaign::CampaignResult& run);
result::Provenance provenance_of(const campaign::CampaignResult& run);
result::RoleTimes role_times_of(const profile::RoleTimes& times);
result::Metric metric_of(const metric::Metric& metric, const std::string& cell);
/// At most so many rows; those left out are counted.
result::Table table_of(table::Table table, std::size_t most_rows);
result::Finding finding_of(const advice::Finding& finding);
result::PredictedGain predicted_of(const advice::PredictedGain& gain);
result::Recommendation recommendation_of(const advice::Recommendation& recommendation);
result::PredictionQuality quality_of(const advice::PredictionHistory& history);

// Parts of a run, each in the file of its subject.

void fill_answer(const campaign::CampaignResult& run, result::Result& result);
void fill_metrics(const campaign::CampaignResult& run, result::Result& result);
void fill_profiles(const campaign::CampaignResult& run, result::Result& result);
/// Nothing where the run has no script.
void fill_script(const campaign::CampaignResult& run, result::Result& result);
/// No diagnosis: no rule was asked.
void fill_diagnosis(const advice::Diagnosis* diagnosis, result::Result& result);
/// What was proposed before the search, what proposals gave on top of one another, and how good the
/// predictions were.
void fill_predictions(const campaign::CampaignResult& run, result::Result& result);

}  // namespace tune::report
