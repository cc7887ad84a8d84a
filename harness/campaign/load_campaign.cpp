#include "campaign/load_campaign.h"

#include "campaign/recorded_run.h"
#include "campaign/summarise.h"

namespace tune::campaign {

CampaignResult load_campaign(const std::filesystem::path& directory) {
  return summarise(read_recorded_run(directory));
}

}  // namespace tune::campaign
