#pragma once

#include "profile/partition.h"
#include "report/format/stored_result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::report {

// What can be said of a run, an analysis or a calibration whose result.json is all that is left, of
// whichever version. Texts and numbers are as in stored_result.h; what is not known is nothing, ""
// or 0.

struct RecordedEvidence {
  std::string metric;
  std::string value;  ///< with its unit; "not known: ..." where there is none
  std::string limit;  ///< that it was compared with, and who uses that; or ""
  std::string source, window;
};

/// What a rule concluded.
struct RecordedFinding {
  std::string rule, group, title;
  std::string state;       ///< fired, quiet, not-applicable
  std::string severity;    ///< of one that fired
  std::string expression;  ///< its condition with the numbers
  std::string reason;      ///< why it is not applicable
  std::vector<std::string> explained_by;
  std::vector<RecordedEvidence> evidence;
};

struct RecordedKnob {
  std::string name, from, to;  ///< no `to`: it could not be computed
};

/// What a StoredRecommendation does not say.
struct RecordedAdvice {
  std::vector<RecordedKnob> knobs;
  std::string cpp, python, text;
  std::vector<std::string> environment;  ///< each does it alone
  std::string model, formula;            ///< of the predicted gain
  std::string against;                   ///< "as predicted", ...
  std::string confidence, numerics, verify;
  std::vector<std::string> risks, links, explains, rejected;
};

/// Fresh pairs of a cell.
struct RecordedPairs {
  std::string cell, verdict, why;
  std::int64_t pairs = 0;
  StoredNumber gain;
};

/// Where the time of the recorded steps of a cell goes.
struct RecordedSteps {
  std::string cell, trial;
  std::optional<double> dilation;
  profile::RoleTimes exposed_ns{}, overlapped_ns{};
};

struct RunRecord {
  StoredResult result;
  std::string description;  ///< of the scenario
  std::string standing;     ///< "faster", ...
  std::string best_verdict;
  StoredNumber baseline_rate, best_rate;  ///< of the summary
  std::vector<RecordedFinding> findings;
  std::vector<RecordedAdvice> advice;  ///< one a recommendation of the result
  std::string no_recommendation;       ///< why there is none
  std::string rank_formula;
  std::vector<RecordedPairs> confirmed;
  std::vector<RecordedSteps> steps;
  /// Name and value of every plain member of `environment`, in the order of the names.
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> command;
  std::string directory, seed;
};

/// Throws tune::Error naming `where` when the text is no JSON or not of the schema "tune-result/1".
RunRecord read_run_record(std::string_view text, const std::string& where);

}  // namespace tune::report
