#include "trial/workload_catalog.h"
#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect dtype_knob();

namespace {

std::string why_dtype_is_ignored(const trial::TrialSpec& spec) {
  if (spec.data.source == "plugin") {
    return "the plug-in makes its own batches";
  }
  if (!spec.workload.own.takes_images()) {
    return "only images are delivered as bytes";
  }
  return trial::reads_tokens(spec.workload.model) ? "tokens are whole numbers in every batch" : "";
}

}  // namespace

// The loader reads it: bytes, or floats that need no normalising here.
KnobEffect dtype_knob() {
  return {.name = "dtype", .why_ignored = why_dtype_is_ignored};
}

}  // namespace tune::worker
