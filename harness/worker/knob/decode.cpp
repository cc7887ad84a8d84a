#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect decode_knob();

namespace {

std::string why_decode_is_ignored(const trial::TrialSpec& spec) {
  std::string reason = why_nothing_is_loaded(spec);
  if (!reason.empty()) {
    return reason;
  }
  const bool is_whole_frame =
      spec.workload.task == "infer" && knob_setting<std::string>(spec, "decode") == "roi";
  return is_whole_frame ? "task infer needs the whole frame" : "";
}

}  // namespace

// The loader reads it: how much of a JPEG is decoded.
KnobEffect decode_knob() {
  return {.name = "decode", .why_ignored = why_decode_is_ignored};
}

}  // namespace tune::worker
