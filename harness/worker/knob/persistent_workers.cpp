#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect persistent_workers_knob();

namespace {

std::string why_persistent_workers_is_ignored(const trial::TrialSpec& spec) {
  std::string reason = why_no_thread_loads(spec);
  if (!reason.empty()) {
    return reason;
  }
  return knob_setting<std::string>(spec, "loader") == "libtorch"
             ? "torch::data::DataLoader always keeps its threads between epochs"
             : "";
}

}  // namespace

// The ring reads it: whether its threads outlive an epoch.
KnobEffect persistent_workers_knob() {
  return {.name = "persistent_workers", .why_ignored = why_persistent_workers_is_ignored};
}

}  // namespace tune::worker
