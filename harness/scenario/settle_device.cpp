#include "scenario/settle_device.h"

namespace tune::scenario {

std::string settled_device(const std::string& asked, bool has_gpu) {
  if (asked != "auto") {
    return asked;
  }
  return has_gpu ? "cuda" : "cpu";
}

void settle_device(Scenario& scenario, const std::string& device) {
  scenario.workload.device = device;
  if (!scenario.activities_are_written) {
    scenario.profile.cuda = scenario.workload.on_gpu();
  }
}

}  // namespace tune::scenario
