#pragma once

#include "campaign/campaign_result.h"

#include <string>
#include <vector>

namespace tune::report {

/// One number of the machine, for people: "busy CPUs", "62.1 %", "98.0 %".
struct MachineRow {
  std::string label;
  std::vector<std::string> texts;  ///< one for each of `telemetry` of the result
};

/// What stands out of the telemetry, without what no setting has; empty when there is none.
std::vector<MachineRow> machine_rows(const campaign::CampaignResult& result);

/// Sentences about it: what could not be seen and why, what the reading cost.
std::vector<std::string> machine_notes(const campaign::CampaignResult& result);

}  // namespace tune::report
