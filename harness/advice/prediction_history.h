#pragma once

#include "advice/prediction_quality.h"
#include "result/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::advice {

/// What the result.json of a run says of its predictions, as it was written then.
struct RecordedPredictions {
  bool is_run = false;      ///< false: an analysis, a gate; nothing follows then
  std::string started_utc;  ///< ISO 8601; "" where it does not say
  std::vector<JudgedPrediction> predictions;
};

/// Reads a result.json. `run` names it, in complaints and in the predictions; `folder` is what a
/// command takes for it, "" where that is the same. Throws tune::Error "<run>: ..." for what is
/// damaged, of another version, older than the rules, or of a run that measured nothing.
RecordedPredictions read_predictions(const std::string& text,
                                     const std::string& run,
                                     const std::string& folder = "");
/// The same of one that was read.
RecordedPredictions predictions_of(const result::Result& result,
                                   const std::string& run,
                                   const std::string& folder);

struct SkippedRun {
  std::string run, reason;
};

/// The predictions of several runs.
struct PredictionHistory {
  std::vector<std::string> runs;  ///< directories that were read
  std::vector<SkippedRun> skipped;
  std::vector<JudgedPrediction> predictions;
};

/// From these run directories, and those in these folders of runs, each once however often it is
/// named. What cannot be read is skipped with its reason; analyses and gates in a folder are left
/// alone. Throws tune::Error when a place does not exist.
PredictionHistory read_prediction_history(const std::vector<std::filesystem::path>& places);

/// From the runs next to `run` that began before it: at most the 100 whose result.json was written
/// last. Says the same of a run however often and whenever it is asked, as long as the older ones
/// stay.
PredictionHistory earlier_predictions(const std::filesystem::path& run,
                                      const std::string& started_utc);

}  // namespace tune::advice
