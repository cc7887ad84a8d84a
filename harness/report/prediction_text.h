#pragma once

#include "advice/prediction_history.h"
#include "measure/campaign/campaign_result.h"
#include "report/block.h"
#include "result/diagnosis.h"

#include <string>
#include <vector>

namespace tune::report {

// How good the predictions of the rules are, in the same words for terminal and reports.

/// The predictions of a run whose rules were asked, behind those of the runs before it.
advice::PredictionHistory predictions_until(const campaign::CampaignResult& result);

/// The predictions of this run alone; nothing where no rule was asked.
std::vector<advice::JudgedPrediction> own_predictions(const campaign::CampaignResult& result);
/// Those of the last run.
std::vector<result::JudgedPrediction> own_predictions(const result::PredictionQuality& quality);

/// One row a rule, by id, then all together; no row without predictions. Below five predictions a
/// row has counts alone.
Table quality_table(const result::PredictionQuality& quality);

/// One row a prediction: what was promised, what pairs gave, how far that is off, the verdict.
Table judged_table(const std::vector<result::JudgedPrediction>& predictions);

/// What the columns of quality_table() mean.
std::string quality_note();

/// "3 runs, 4 predictions that fresh pairs have judged".
std::string history_words(const result::PredictionQuality& quality);

/// "skipped resnet18-20260101T000000Z: holds no result.json", one line a run.
std::vector<std::string> skipped_lines(const result::PredictionQuality& quality);

}  // namespace tune::report
