#include "worker/knob/knob_effect.h"

#include <string>

namespace tune::worker {

KnobEffect devices_knob();

namespace {

// main() starts the processes (rank/rank_processes.h), before threads of LibTorch run.
void apply_devices(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  const std::int64_t devices = trial::rank_count(spec);
  if (devices == 1) {
    return;
  }
  const std::string where = "knobs.devices: " + std::to_string(devices);
  if (spec.workload.task != "train") {
    throw std::invalid_argument(where + " needs task train (inference averages nothing)");
  }
  if (spec.data.source == "plugin") {
    throw std::invalid_argument(where +
                                " needs data that can be shared out (a plug-in's has no "
                                "parts) another data.source?");
  }
}

}  // namespace

KnobEffect devices_knob() {
  return {.name = "devices", .apply = apply_devices};
}

}  // namespace tune::worker
