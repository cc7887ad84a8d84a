#include "campaign/load_campaign.h"

#include "campaign/read_telemetry.h"
#include "campaign/recorded_run.h"
#include "campaign/summarise.h"
#include "campaign/verification.h"

namespace tune::campaign {

CampaignResult load_campaign(const std::filesystem::path& directory) {
  CampaignResult result = summarise(read_recorded_run(directory));
  result.telemetry = read_telemetry(result);
  result.verifications = read_verifications(result.directory, result.warnings);
  return result;
}

}  // namespace tune::campaign
