#include "cli/live_report.h"

#include "base/clock.h"
#include "campaign/read_telemetry.h"
#include "campaign/summarise.h"
#include "cli/run_profiles.h"
#include "cli/run_rules.h"
#include "report/write_reports.h"

#include <utility>

namespace tune::cli {

std::string live_report(const campaign::RecordedRun& run,
                        campaign::Sitting sitting,
                        const std::string& rules) {
  sitting.end_ns = monotonic_ns();
  sitting.end_reason = campaign::kGoesOn;
  campaign::RecordedRun so_far = run;
  so_far.ledger.sittings.push_back(std::move(sitting));
  campaign::CampaignResult result = campaign::summarise(so_far);
  result.telemetry = campaign::read_telemetry(result);
  read_profiles(result);
  ask_rules(result, rules);
  return report::render(result, report::Format::html);
}

}  // namespace tune::cli
