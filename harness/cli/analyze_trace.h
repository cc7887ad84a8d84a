#pragma once

#include "base/error.h"
#include "cli/analyze_request.h"
#include "machine/machine_facts.h"
#include "measure/campaign/campaign_result.h"
#include "report/recorded_script.h"

#include <string>

namespace tune::cli {

/// A trial of a script whose recorded steps are analysed: what is known of it besides its trace.
struct RecordedTrial {
  campaign::TrialRecord trial;
  machine::MachineFacts machine;
  report::RecordedScript script;
};

/// Reads one trace, asks the rules, writes the reports and prints the overview, or result.json.
/// With a trial rules also know its settings and its measured window, whose times count before
/// those of the recorded steps, for recording has not stretched them. Throws tune::Error.
ExitCode analyze_trace(const AnalyzeRequest& request,
                       const std::string& trace,
                       const RecordedTrial* recorded = nullptr);

}  // namespace tune::cli
