#include "scenario/settle_device.h"

namespace tune::scenario {

std::string settled_device(const std::string& asked, bool has_gpu) {
  if (asked != "auto") {
    return asked;
  }
  return has_gpu ? "cuda" : "cpu";
}

std::string lost_gpu_text(const machine::MachineFacts& machine) {
  if (machine.no_gpu.empty()) {
    return "";
  }
  return (machine.device == "cpu" ? "trials run on the CPU: "
                                  : "device cuda cannot be had here: ") +
         machine.no_gpu;
}

void settle_device(Scenario& scenario, const std::string& device) {
  scenario.workload.device = device;
  if (!scenario.activities_are_written) {
    scenario.profile.cuda = scenario.workload.on_gpu();
  }
}

}  // namespace tune::scenario
