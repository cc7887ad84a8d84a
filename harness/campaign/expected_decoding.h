#pragma once

#include "probe/probe_record.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tune::campaign {

/// What decoding one image should cost one worker, before anything has run.
struct ExpectedDecoding {
  std::optional<double> seconds;  ///< mean over the first images of the set
  std::string reason;             ///< why it is not known, or ""
};

/// From the time per byte and per pixel that `tune probe` found on this machine, and the sizes that
/// the images of a generated set have. Whole frames: the probe decodes no parts of them. Sizes do
/// not depend on how many images follow, so that the first 512 will do.
ExpectedDecoding expected_decoding(const probe::ProbeRecord& record,
                                   const trial::Data& data,
                                   std::int64_t classes);

}  // namespace tune::campaign
