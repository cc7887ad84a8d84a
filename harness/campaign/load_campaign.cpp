#include "campaign/load_campaign.h"

#include "campaign/read_telemetry.h"
#include "campaign/recorded_run.h"
#include "campaign/summarise.h"
#include "campaign/verification.h"
#include "history/kept_series.h"

#include <string>

namespace tune::campaign {

CampaignResult load_campaign(const std::filesystem::path& directory) {
  CampaignResult result = summarise(read_recorded_run(directory));
  result.telemetry = read_telemetry(result);
  result.verifications = read_verifications(result.directory, result.warnings);
  std::string problem;
  result.history = history::load_kept_series(result.directory, problem);
  if (!problem.empty()) {
    result.warnings.push_back(problem);
  }
  return result;
}

}  // namespace tune::campaign
