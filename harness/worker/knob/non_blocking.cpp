#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect non_blocking_knob();

namespace {

std::string why_non_blocking_is_ignored(const trial::TrialSpec& spec) {
  return spec.workload.on_gpu() ? "" : "no GPU: batches are used where they lie";
}

}  // namespace

KnobEffect non_blocking_knob() {
  return {.name = "non_blocking", .why_ignored = why_non_blocking_is_ignored};
}

}  // namespace tune::worker
