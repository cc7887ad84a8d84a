#pragma once

#include "advice/prediction_history.h"
#include "campaign/campaign_result.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::report {

/// {runs, skipped, all, rules, predictions}: how well predictions came true, over all runs and by
/// rule, and each of them.
nlohmann::ordered_json to_json(const advice::PredictionHistory& history);

/// The same of a run and of those before it, with `this_run`; null where no rule was asked.
nlohmann::ordered_json prediction_quality_json(const campaign::CampaignResult& result);

}  // namespace tune::report
