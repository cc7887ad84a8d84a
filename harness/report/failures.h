#pragma once

#include "measure/campaign/campaign_result.h"
#include "report/run_sections.h"
#include "result/result.h"

#include <string>
#include <vector>

namespace tune::report {

/// A setting of which a trial failed, and why.
struct Failure {
  std::string setting;
  std::string outcome;      ///< "out-of-memory"
  std::string reason;       ///< one line
  std::string trial;        ///< the first that failed; "" when none did
  std::string stderr_tail;  ///< the last lines that it wrote; "" when it wrote none
};

/// In the result's order; also cells of which only some trials failed.
std::vector<Failure> failures(const Run& run);

/// A setting of which no trial was run: not a failure.
struct Unmeasured {
  std::string setting;
  std::string reason;  ///< "by the search's model at most +88.7 %, ...", "interrupted"; one line
};

/// In the result's order.
std::vector<Unmeasured> unmeasured(const result::Result& result);

/// Whether the search left the cell out because its model expects too little of it.
bool is_ruled_out(const result::Cell& cell);

/// What a reader must know before trusting the numbers: missing work, failed settings, a busy
/// machine, stalls, broken files, knobs that the worker ignored. One sentence each.
std::vector<std::string> warnings(const campaign::CampaignResult& result);

}  // namespace tune::report
