#pragma once

#include "campaign/campaign_result.h"

#include <string>
#include <vector>

namespace tune::report {

/// A cell without a whole result, and why.
struct Failure {
  std::string cell, setting;
  std::string outcome;      ///< "out-of-memory", "not-run"
  std::string reason;       ///< one line
  std::string trial;        ///< the first that failed; "" when none was run
  std::string stderr_tail;  ///< the last lines that it wrote; "" when it wrote none
};

/// In the result's order; also cells of which only some trials failed.
std::vector<Failure> failures(const campaign::CampaignResult& result);

/// What a reader must know before trusting the numbers: missing work, failed settings, a busy
/// machine, stalls, broken files, knobs that the worker ignored. One sentence each.
std::vector<std::string> warnings(const campaign::CampaignResult& result);

}  // namespace tune::report
